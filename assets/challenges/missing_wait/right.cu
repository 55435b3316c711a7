#include <cstdio>
#include <cstdlib>

__global__ void square(const int* x, int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * x[i] + 1;
}

__global__ void add(const int* x, const int* y, int* z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = x[i] + y[i];
}

int main(int, char** words) {
  int n = atoi(words[1]), bytes = n * sizeof(int), blocks = (n + 127) / 128;
  int *x, *z, *device_x, *device_y, *device_z;
  cudaMallocHost(&x, bytes);
  cudaMallocHost(&z, bytes);
  cudaMalloc(&device_x, bytes);
  cudaMalloc(&device_y, bytes);
  cudaMalloc(&device_z, bytes);
  for (int i = 0; i < n; ++i) x[i] = i % 1000;
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEvent_t done;
  cudaEventCreate(&done);

  cudaMemcpyAsync(device_x, x, bytes, cudaMemcpyHostToDevice, first);
  square<<<blocks, 128, 0, first>>>(device_x, device_y, n);
  cudaEventRecord(done, first);
  cudaStreamWaitEvent(second, done);
  add<<<blocks, 128, 0, second>>>(device_x, device_y, device_z, n);
  cudaMemcpyAsync(z, device_z, bytes, cudaMemcpyDeviceToHost, second);
  cudaStreamSynchronize(second);
  long long sum = 0;
  for (int i = 0; i < n; ++i) sum += z[i];

  printf("%lld\n", sum);
  return 0;
}
