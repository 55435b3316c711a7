// As registered_read.cu, but the program waits for the kernel.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

__global__ void roots(const int* square, int* root, int n) {  // by Newton's method
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float r = square[i];
  for (int round = 0; round < 10000; ++round) r = 0.5f * (r + square[i] / r);
  root[i] = int(r + 0.5f);
}

int main() {
  int n = 10000;
  std::vector<int> square(n), root(n);
  for (int i = 0; i < n; ++i) square[i] = (i + 1) * (i + 1);
  cudaHostRegister(square.data(), n * sizeof(int), cudaHostRegisterMapped);
  cudaHostRegister(root.data(), n * sizeof(int), cudaHostRegisterMapped);
  int *device_square, *device_root;
  cudaHostGetDevicePointer(&device_square, square.data(), 0);
  cudaHostGetDevicePointer(&device_root, root.data(), 0);

  roots<<<79, 128>>>(device_square, device_root, n);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    if (root[i] != i + 1) ++wrong;
  if (wrong == 0)
    printf("right\n");
  else
    printf("%d wrong\n", wrong);
  cudaHostUnregister(square.data());
  cudaHostUnregister(root.data());
  return 0;
}
