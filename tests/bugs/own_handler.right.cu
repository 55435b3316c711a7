// The program handles SIGSEGV itself, from a moment on when the device uses its pinned memory. Its handler
// gets its own faults alone, so it still works.
#include <cuda_runtime.h>
#include <sys/mman.h>
#include <csetjmp>
#include <csignal>
#include <cstdio>

sigjmp_buf back;

void on_fault(int) { siglongjmp(back, 1); }

int main() {
  int n = 1 << 16;
  int *device, *host;
  cudaMalloc(&device, n * sizeof(int));
  cudaMallocHost(&host, n * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemsetAsync(device, 0, n * sizeof(int), stream);
  cudaMemcpyAsync(host, device, n * sizeof(int), cudaMemcpyDeviceToHost, stream);

  signal(SIGSEGV, on_fault);
  volatile int* page = (int*)mmap(0, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  volatile int faults = 0;
  if (sigsetjmp(back, 1) == 0)
    *page = 1;
  else
    faults = faults + 1;
  cudaMemcpyAsync(host, device, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
  if (sigsetjmp(back, 1) == 0) {
    cudaStreamSynchronize(stream);
    for (int i = 0; i < n; ++i) faults = faults + host[i];
  } else {
    faults = faults + 1;
  }
  if (faults == 1)
    printf("right\n");
  else
    printf("%d faults\n", faults);
  return 0;
}
