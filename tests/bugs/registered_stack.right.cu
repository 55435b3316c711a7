// Registered memory on the stack: functions that are called while the kernel works have their own part of it.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void roots(const int* square, int* root, int n) {  // by Newton's method
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float r = square[i];
  for (int round = 0; round < 10000; ++round) r = 0.5f * (r + square[i] / r);
  root[i] = int(r + 0.5f);
}

int sum_of(int n) {  // needs some pages of the stack
  volatile int numbers[4096];
  int sum = 0;
  for (int i = 0; i < n; ++i) numbers[i] = i;
  for (int i = 0; i < n; ++i) sum += numbers[i];
  return sum;
}

bool roots_are_right(int n) {
  int square[4096], root[4096];
  for (int i = 0; i < n; ++i) square[i] = (i + 1) * (i + 1);
  cudaHostRegister(square, sizeof square, cudaHostRegisterMapped);
  cudaHostRegister(root, sizeof root, cudaHostRegisterMapped);
  int *device_square, *device_root;
  cudaHostGetDevicePointer(&device_square, square, 0);
  cudaHostGetDevicePointer(&device_root, root, 0);
  roots<<<32, 128>>>(device_square, device_root, n);
  bool right = sum_of(n) == n * (n - 1) / 2;
  cudaDeviceSynchronize();
  cudaHostUnregister(square);
  cudaHostUnregister(root);
  for (int i = 0; i < n; ++i) right = right && root[i] == i + 1;
  return right;
}

int main() {
  printf(roots_are_right(4096) ? "right\n" : "wrong\n");
  return 0;
}
