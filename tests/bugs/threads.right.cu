// Each thread of the host has a stream and a part of the pinned arrays, and waits for its stream. The program
// reads the parts once the threads have joined.
#include <cuda_runtime.h>
#include <cstdio>
#include <thread>
#include <vector>

__global__ void roots(const int* square, int* root, int n) {  // by Newton's method
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float r = square[i];
  for (int round = 0; round < 100000; ++round) r = 0.5f * (r + square[i] / r);
  root[i] = int(r + 0.5f);
}

int main() {
  const int n = 4096, threads = 4, part = n / threads, bytes = part * sizeof(int);
  int *square, *root, *device_square, *device_root;
  cudaMallocHost(&square, n * sizeof(int));
  cudaMallocHost(&root, n * sizeof(int));
  cudaMalloc(&device_square, n * sizeof(int));
  cudaMalloc(&device_root, n * sizeof(int));

  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t)
    workers.emplace_back([=] {
      const int from = t * part;
      for (int i = from; i < from + part; ++i) square[i] = (i + 1) * (i + 1);
      cudaStream_t stream;
      cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
      cudaMemcpyAsync(device_square + from, square + from, bytes, cudaMemcpyHostToDevice, stream);
      roots<<<8, 128, 0, stream>>>(device_square + from, device_root + from, part);
      cudaMemcpyAsync(root + from, device_root + from, bytes, cudaMemcpyDeviceToHost, stream);
      cudaStreamSynchronize(stream);
      cudaStreamDestroy(stream);
    });
  for (std::thread& worker : workers) worker.join();
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    if (root[i] != i + 1) ++wrong;
  if (wrong == 0)
    printf("right\n");
  else
    printf("%d wrong\n", wrong);
  cudaDeviceSynchronize();
  return 0;
}
