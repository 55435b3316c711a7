#include <cstdio>

__global__ void grow(const int* x, int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned v = x[i];
  for (int round = 0; round < 400; ++round) v = v * v + round;
  y[i] = v;
}

int main() {
  const int chunks = 1;
  const int n = 1 << 19, size = n / chunks, bytes = size * sizeof(int);
  int *x, *y, *device_x, *device_y;
  cudaMallocHost(&x, n * sizeof(int));
  cudaMallocHost(&y, n * sizeof(int));
  cudaMalloc(&device_x, n * sizeof(int));
  cudaMalloc(&device_y, n * sizeof(int));
  for (int i = 0; i < n; ++i) x[i] = i;
  cudaStream_t streams[4];
  for (cudaStream_t& s : streams) cudaStreamCreate(&s);

  for (int chunk = 0; chunk < chunks; ++chunk) {
    cudaStream_t s = streams[chunk % 4];
    int at = chunk * size;
    cudaMemcpyAsync(device_x + at, x + at, bytes, cudaMemcpyHostToDevice, s);
    grow<<<size / 256, 256, 0, s>>>(device_x + at, device_y + at, size);
    cudaMemcpyAsync(y + at, device_y + at, bytes, cudaMemcpyDeviceToHost, s);
  }
  cudaDeviceSynchronize();
  printf("%d\n", y[n - 1]);
  return 0;
}
