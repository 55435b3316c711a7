// As mapped_read.cu, but the program waits for the kernel.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void roots(const int* square, int* root, int n) {  // by Newton's method
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float r = square[i];
  for (int round = 0; round < 100000; ++round) r = 0.5f * (r + square[i] / r);
  root[i] = int(r + 0.5f);
}

int main() {
  int n = 1000;
  int *square, *root;
  cudaHostAlloc(&square, n * sizeof(int), cudaHostAllocMapped);
  cudaHostAlloc(&root, n * sizeof(int), cudaHostAllocMapped);
  for (int i = 0; i < n; ++i) {
    square[i] = (i + 1) * (i + 1);
    root[i] = 0;
  }
  int *device_square, *device_root;
  cudaHostGetDevicePointer(&device_square, square, 0);
  cudaHostGetDevicePointer(&device_root, root, 0);

  roots<<<8, 128>>>(device_square, device_root, n);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    if (root[i] != i + 1) ++wrong;
  if (wrong == 0)
    printf("right\n");
  else
    printf("%d wrong\n", wrong);
  cudaDeviceSynchronize();
  return 0;
}
