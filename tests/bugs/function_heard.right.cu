// The program waits for a function of the host by a condition variable, and then reads and frees the memory.
// waits without a call
#include <cuda_runtime.h>
#include <condition_variable>
#include <cstdio>
#include <mutex>

struct Signal {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
};

__global__ void roots(const int* square, int* root, int n) {  // by Newton's method
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float r = square[i];
  for (int round = 0; round < 100000; ++round) r = 0.5f * (r + square[i] / r);
  root[i] = int(r + 0.5f);
}

void tell(void* data) {
  Signal* signal = (Signal*)data;
  std::lock_guard<std::mutex> lock(signal->mutex);
  signal->done = true;
  signal->changed.notify_one();
}

int main() {
  const int n = 1024;
  int *square, *root, *device_square, *device_root;
  cudaMallocHost(&square, n * sizeof(int));
  cudaMallocHost(&root, n * sizeof(int));
  cudaMalloc(&device_square, n * sizeof(int));
  cudaMalloc(&device_root, n * sizeof(int));
  for (int i = 0; i < n; ++i) square[i] = (i + 1) * (i + 1);
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);

  cudaMemcpyAsync(device_square, square, n * sizeof(int), cudaMemcpyHostToDevice, stream);
  roots<<<8, 128, 0, stream>>>(device_square, device_root, n);
  cudaMemcpyAsync(root, device_root, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
  Signal signal;
  cudaLaunchHostFunc(stream, tell, &signal);
  {
    std::unique_lock<std::mutex> lock(signal.mutex);
    signal.changed.wait(lock, [&] { return signal.done; });
  }
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    if (root[i] != i + 1) ++wrong;
  cudaFreeHost(square);
  cudaFreeHost(root);
  if (wrong == 0)
    printf("right\n");
  else
    printf("%d wrong\n", wrong);
  cudaDeviceSynchronize();
  return 0;
}
