// The result is written to a file before cudaMemcpyAsync has brought it.
// finds missing_wait of [copy] before [write]
// says cudaStreamSynchronize
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

__global__ void count(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (int round = 0; round < 2000; ++round) sum = sum * 3 + 1 - sum * 2 - 1 + (sum == i ? 0 : 1);
  out[i] = sum;
}

int main() {
  int n = 1 << 16;
  int *device, *host;
  cudaMalloc(&device, n * sizeof(int));
  cudaMallocHost(&host, n * sizeof(int));
  for (int i = 0; i < n; ++i) host[i] = -1;
  cudaStream_t stream;
  cudaStreamCreate(&stream);

  count<<<n / 256, 256, 0, stream>>>(device, n);
  cudaMemcpyAsync(host, device, n * sizeof(int), cudaMemcpyDeviceToHost, stream);  // [copy]
  FILE* file = tmpfile();
  size_t written = fwrite(host, sizeof(int), n, file);  // [write]
  cudaStreamSynchronize(stream);

  rewind(file);
  int* saved = (int*)malloc(n * sizeof(int));
  size_t read = fread(saved, sizeof(int), n, file);
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    if (written != (size_t)n || read != (size_t)n || saved[i] != host[i]) ++wrong;
  if (wrong == 0)
    printf("right\n");
  else
    printf("%d wrong\n", wrong);
  return 0;
}
