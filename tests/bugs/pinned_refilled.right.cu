// As pinned_refilled.cu, but the program waits before it fills the buffer again.
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
  const int n = 1000, batches = 4;
  static int root[batches * n];
  int *square, *device_square, *device_root;
  cudaMallocHost(&square, n * sizeof(int));
  cudaMalloc(&device_square, n * sizeof(int));
  cudaMalloc(&device_root, batches * n * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);

  for (int batch = 0; batch < batches; ++batch) {
    for (int i = 0; i < n; ++i) square[i] = (batch + i + 1) * (batch + i + 1);
    cudaMemcpyAsync(device_square, square, n * sizeof(int), cudaMemcpyHostToDevice, stream);
    roots<<<8, 128, 0, stream>>>(device_square, device_root + batch * n, n);
    cudaStreamSynchronize(stream);
  }
  cudaMemcpy(root, device_root, batches * n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int batch = 0; batch < batches; ++batch)
    for (int i = 0; i < n; ++i)
      if (root[batch * n + i] != batch + i + 1) ++wrong;
  if (wrong == 0)
    printf("right\n");
  else
    printf("%d wrong\n", wrong);
  cudaDeviceSynchronize();
  return 0;
}
