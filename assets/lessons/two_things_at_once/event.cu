#include <cstdio>

__global__ void grow(const int* x, int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned v = x[i];
  for (int round = 0; round < 200; ++round) v = v * v + round;
  y[i] = v;
}

int main() {
  const int n = 1 << 14, bytes = n * sizeof(int);
  int *x, *a, *b;
  cudaMallocHost(&x, bytes);
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  for (int i = 0; i < n; ++i) x[i] = 1;
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEvent_t done;
  cudaEventCreate(&done);

  cudaMemcpyAsync(a, x, bytes, cudaMemcpyHostToDevice, first);
  grow<<<n / 256, 256, 0, first>>>(a, b, n);

  grow<<<n / 256, 256, 0, second>>>(b, a, n);

  cudaDeviceSynchronize();
  cudaMemcpy(x, a, bytes, cudaMemcpyDeviceToHost);
  printf("%d\n", x[0]);
  return 0;
}
