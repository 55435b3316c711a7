// The program protects a part of its pinned memory itself: it stays protected.
#include <cuda_runtime.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <cstdio>

int main() {
  int n = 1 << 16;
  int *device, *host;
  cudaMalloc(&device, n * sizeof(int));
  cudaMallocHost(&host, n * sizeof(int));
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  mprotect(host, 4096, PROT_READ);
  cudaMemcpyAsync(device, host, n * sizeof(int), cudaMemcpyHostToDevice, stream);
  cudaStreamSynchronize(stream);

  int status = 0;
  pid_t child = fork();
  if (child == 0) {
    signal(SIGSEGV, SIG_DFL);
    host[0] = 1;  // ends the child
    _exit(0);
  }
  waitpid(child, &status, 0);
  printf(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV ? "right\n" : "it is not protected\n");
  return 0;
}
