// Managed memory of one stream each: the program waits for the first and reads the second's.
// finds missing_wait of [second] before [read]
// says cudaStreamSynchronize
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
  int *square, *root[2];
  cudaStream_t stream[2];
  cudaMallocManaged(&square, n * sizeof(int));
  for (int i = 0; i < n; ++i) square[i] = (i + 1) * (i + 1);
  for (int s = 0; s < 2; ++s) {
    cudaStreamCreate(&stream[s]);
    cudaMallocManaged(&root[s], n * sizeof(int), cudaMemAttachHost);
    for (int i = 0; i < n; ++i) root[s][i] = 0;
    cudaStreamAttachMemAsync(stream[s], root[s], 0, cudaMemAttachSingle);
    cudaStreamSynchronize(stream[s]);
  }

  roots<<<8, 128, 0, stream[0]>>>(square, root[0], n);
  roots<<<8, 128, 0, stream[1]>>>(square, root[1], n);  // [second]
  cudaStreamSynchronize(stream[0]);
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    if (root[1][i] != i + 1) ++wrong;  // [read]
  if (wrong == 0)
    printf("right\n");
  else
    printf("%d wrong\n", wrong);
  cudaDeviceSynchronize();
  return 0;
}
