// The program reads managed memory while the kernel still writes it: a prefetch is no wait.
// finds missing_wait of [kernel] before [read]
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

void prefetch_to_host(int* data, size_t bytes, cudaStream_t stream) {
#if CUDART_VERSION >= 13000
  cudaMemPrefetchAsync(data, bytes, {cudaMemLocationTypeHost, 0}, 0, stream);
#else
  cudaMemPrefetchAsync(data, bytes, cudaCpuDeviceId, stream);
#endif
}

int main() {
  int n = 1000;
  int *square, *root;
  cudaMallocManaged(&square, n * sizeof(int));
  cudaMallocManaged(&root, n * sizeof(int));
  for (int i = 0; i < n; ++i) {
    square[i] = (i + 1) * (i + 1);
    root[i] = 0;
  }
  cudaStream_t stream;
  cudaStreamCreate(&stream);

  roots<<<8, 128, 0, stream>>>(square, root, n);  // [kernel]
  prefetch_to_host(root, n * sizeof(int), stream);
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    if (root[i] != i + 1) ++wrong;  // [read]
  if (wrong == 0)
    printf("right\n");
  else
    printf("%d wrong\n", wrong);
  cudaDeviceSynchronize();
  return 0;
}
