// As stream_destroyed.cu, but the program waits for the stream before it destroys it.
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
  const int n = 1000;
  static int square[n];
  for (int i = 0; i < n; ++i) square[i] = (i + 1) * (i + 1);
  int *device_square, *root;
  cudaMalloc(&device_square, n * sizeof(int));
  cudaMemcpy(device_square, square, n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMallocHost(&root, n * sizeof(int));
  for (int i = 0; i < n; ++i) root[i] = 0;
  cudaStream_t stream;
  cudaStreamCreate(&stream);

  roots<<<8, 128, 0, stream>>>(device_square, root, n);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
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
