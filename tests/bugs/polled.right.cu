// The program asks whether an event has happened, and reads mapped memory once it has. The next kernel still
// runs then, but writes elsewhere. Its part is read once the stream has nothing left.
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
  const int n = 2048, half = n / 2;
  int *square, *root;
  cudaMallocHost(&square, n * sizeof(int));
  cudaMallocHost(&root, n * sizeof(int));
  for (int i = 0; i < n; ++i) {
    square[i] = (i + 1) * (i + 1);
    root[i] = 0;
  }
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaEvent_t done;
  cudaEventCreate(&done);

  roots<<<8, 128, 0, stream>>>(square, root, half);
  cudaEventRecord(done, stream);
  roots<<<8, 128, 0, stream>>>(square + half, root + half, half);
  while (cudaEventQuery(done) == cudaErrorNotReady) {
  }
  int wrong = 0;
  for (int i = 0; i < half; ++i)
    if (root[i] != i + 1) ++wrong;
  while (cudaStreamQuery(stream) == cudaErrorNotReady) {
  }
  for (int i = half; i < n; ++i)
    if (root[i] != i + 1) ++wrong;
  if (wrong == 0)
    printf("right\n");
  else
    printf("%d wrong\n", wrong);
  cudaDeviceSynchronize();
  return 0;
}
