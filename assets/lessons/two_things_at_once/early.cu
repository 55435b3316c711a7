#include <cstdio>

__global__ void grow(const int* x, int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned v = x[i];
  for (int round = 0; round < 200; ++round) v = v * v + round;
  y[i] = v;
}

int main() {
  const int n = 1000, bytes = n * sizeof(int);
  int *x, *y, *device_x, *device_y;
  cudaMallocHost(&x, bytes);
  cudaMallocHost(&y, bytes);
  cudaMalloc(&device_x, bytes);
  cudaMalloc(&device_y, bytes);
  for (int i = 0; i < n; ++i) x[i] = 1, y[i] = 0;
  cudaStream_t s;
  cudaStreamCreate(&s);

  cudaMemcpyAsync(device_x, x, bytes, cudaMemcpyHostToDevice, s);
  grow<<<4, 256, 0, s>>>(device_x, device_y, n);
  cudaMemcpyAsync(y, device_y, bytes, cudaMemcpyDeviceToHost, s);

  int wrong = 0;
  for (int i = 0; i < n; ++i)
    if (y[i] == 0) ++wrong;

  printf("%d wrong\n", wrong);
  cudaDeviceSynchronize();
  return 0;
}
