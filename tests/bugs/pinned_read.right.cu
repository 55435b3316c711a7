// As pinned_read.cu, but the program waits. What is copied to the device may be read at any time.
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
  cudaMallocHost(&square, n * sizeof(int));
  cudaMallocHost(&root, n * sizeof(int));
  for (int i = 0; i < n; ++i) {
    square[i] = (i + 1) * (i + 1);
    root[i] = 0;
  }
  int *device_square, *device_root;
  cudaMalloc(&device_square, n * sizeof(int));
  cudaMalloc(&device_root, n * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);

  cudaMemcpyAsync(device_square, square, n * sizeof(int), cudaMemcpyHostToDevice, stream);
  roots<<<8, 128, 0, stream>>>(device_square, device_root, n);
  cudaMemcpyAsync(root, device_root, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    if (root[i] * root[i] != square[i]) ++wrong;
  if (wrong == 0)
    printf("right\n");
  else
    printf("%d wrong\n", wrong);
  cudaDeviceSynchronize();
  return 0;
}
