// A child has a copy of the memory: what it writes there, the device does not read.
#include <cuda_runtime.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>

int main() {
  int n = 1 << 16;
  int *device, *host;
  cudaMalloc(&device, n * sizeof(int));
  cudaMallocHost(&host, n * sizeof(int));
  for (int i = 0; i < n; ++i) host[i] = 1;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(device, host, n * sizeof(int), cudaMemcpyHostToDevice, stream);
  pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < n; ++i) host[i] = 2;
    _exit(0);
  }
  int status = 1;
  waitpid(child, &status, 0);
  cudaStreamSynchronize(stream);

  cudaMemcpy(host, device, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = status == 0 ? 0 : n;
  for (int i = 0; i < n; ++i)
    if (host[i] != 1) ++wrong;
  if (wrong == 0)
    printf("right\n");
  else
    printf("%d wrong\n", wrong);
  return 0;
}
