// Two buffers in turn: the next copy does not wait for the kernel that still reads the buffer.
// finds missing_wait of [kernel] before [copy]
// says cudaStreamWaitEvent
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
  const int n = 1000, batches = 6, bytes = n * sizeof(int);
  static int root[batches * n];
  int *square, *buffer[2], *device_root;
  cudaMallocHost(&square, batches * n * sizeof(int));
  for (int i = 0; i < batches * n; ++i) square[i] = (i % 4000 + 1) * (i % 4000 + 1);
  cudaMalloc(&device_root, batches * n * sizeof(int));
  cudaStream_t copies, kernels;
  cudaStreamCreate(&copies);
  cudaStreamCreate(&kernels);
  cudaEvent_t filled[2], used[2];
  for (int b = 0; b < 2; ++b) {
    cudaMalloc(&buffer[b], n * sizeof(int));
    cudaEventCreate(&filled[b]);
    cudaEventCreate(&used[b]);
  }

  for (int batch = 0; batch < batches; ++batch) {
    int b = batch % 2;
    cudaMemcpyAsync(buffer[b], square + batch * n, bytes, cudaMemcpyHostToDevice, copies);  // [copy]
    cudaEventRecord(filled[b], copies);
    cudaStreamWaitEvent(kernels, filled[b], 0);
    roots<<<8, 128, 0, kernels>>>(buffer[b], device_root + batch * n, n);  // [kernel]
    cudaEventRecord(used[b], kernels);
  }
  cudaDeviceSynchronize();
  cudaMemcpy(root, device_root, batches * n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < batches * n; ++i)
    if (root[i] != i % 4000 + 1) ++wrong;
  if (wrong == 0)
    printf("right\n");
  else
    printf("%d wrong\n", wrong);
  cudaDeviceSynchronize();
  return 0;
}
