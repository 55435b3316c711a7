// A stream for each half, and no byte of one is used by the other. The default stream, which waits for both,
// computes the one difference between the halves.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void roots(const int* square, int* root, int from, int to, int rounds) {
  int i = from + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= to) return;
  float r = square[i];
  for (int round = 0; round < rounds; ++round) r = 0.5f * (r + square[i] / r);
  root[i] = int(r + 0.5f);
}

__global__ void differences(const int* root, int* difference, int from, int to) {
  int i = from + blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < to) difference[i] = root[i] - root[i - 1];
}

int main() {
  const int n = 1000, half = n / 2;
  static int square[n], difference[n];
  for (int i = 0; i < n; ++i) square[i] = (i + 1) * (i + 1);
  int *device_square, *root, *device_difference;
  cudaMalloc(&device_square, n * sizeof(int));
  cudaMalloc(&root, n * sizeof(int));
  cudaMalloc(&device_difference, n * sizeof(int));
  cudaMemcpy(device_square, square, n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(root, 0, n * sizeof(int));
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);

  roots<<<4, 128, 0, first>>>(device_square, root, 0, half, 100000);
  differences<<<4, 128, 0, first>>>(root, device_difference, 0, half);
  roots<<<4, 128, 0, second>>>(device_square, root, half, n, 100);
  differences<<<4, 128, 0, second>>>(root, device_difference, half + 1, n);
  differences<<<1, 1>>>(root, device_difference, half, half + 1);
  cudaMemcpy(difference, device_difference, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 1; i < n; ++i)
    if (difference[i] != 1) ++wrong;
  if (wrong == 0)
    printf("right\n");
  else
    printf("%d wrong\n", wrong);
  cudaDeviceSynchronize();
  return 0;
}
