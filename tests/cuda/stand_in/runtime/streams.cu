// Streams, events, callbacks, memory in the order of a stream, several host threads.
#include <cuda_runtime.h>

#include <atomic>
#include <thread>
#include <vector>

#include "expect.h"

__global__ void add(int* to, int n, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] += by;
}

void streams() {
  cudaStream_t one = nullptr, other = nullptr;
  EXPECT_OK(cudaStreamCreate(&one));
  EXPECT_OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  EXPECT(one != nullptr && one != other);
  unsigned flags = 9;
  EXPECT_OK(cudaStreamGetFlags(other, &flags));
  EXPECT(flags == cudaStreamNonBlocking);
  int least = 9, greatest = 9, priority = 9;
  EXPECT_OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT(least == 0 && greatest <= least);
  cudaStream_t urgent = nullptr;
  EXPECT_OK(cudaStreamCreateWithPriority(&urgent, cudaStreamDefault, greatest));
  EXPECT_OK(cudaStreamGetPriority(urgent, &priority));
  EXPECT(priority == greatest);

  constexpr int n = 1000;
  int *pinned = nullptr, *on_device = nullptr;
  EXPECT_OK(cudaMallocHost(&pinned, n * 4));
  EXPECT_OK(cudaMalloc(&on_device, n * 4));
  for (int i = 0; i < n; ++i) pinned[i] = i;
  EXPECT_OK(cudaMemcpyAsync(on_device, pinned, n * 4, cudaMemcpyHostToDevice, one));
  add<<<4, 256, 0, one>>>(on_device, n, 10);
  cudaEvent_t done = nullptr;
  EXPECT_OK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
  EXPECT_OK(cudaEventRecord(done, one));
  EXPECT_OK(cudaStreamWaitEvent(other, done, 0));
  add<<<4, 256, 0, other>>>(on_device, n, 100);
  EXPECT_OK(cudaMemcpyAsync(pinned, on_device, n * 4, cudaMemcpyDeviceToHost, other));
  EXPECT_OK(cudaStreamSynchronize(other));
  EXPECT(pinned[0] == 110 && pinned[n - 1] == n + 109);
  EXPECT_OK(cudaStreamQuery(other));
  EXPECT_OK(cudaMemsetAsync(on_device, 0, n * 4, one));
  EXPECT_OK(cudaStreamSynchronize(one));
  EXPECT_OK(cudaEventDestroy(done));
  EXPECT_OK(cudaFree(on_device));
  EXPECT_OK(cudaFreeHost(pinned));
  for (cudaStream_t stream : {one, other, urgent}) EXPECT_OK(cudaStreamDestroy(stream));
}

void events() {
  cudaEvent_t begin = nullptr, end = nullptr;
  EXPECT_OK(cudaEventCreate(&begin));
  EXPECT_OK(cudaEventCreate(&end));
  float ms = -1;
  EXPECT_CODE(cudaEventElapsedTime(&ms, begin, end), cudaErrorInvalidResourceHandle);
  cudaGetLastError();
  int* memory = nullptr;
  EXPECT_OK(cudaMalloc(&memory, 1 << 20));
  EXPECT_OK(cudaEventRecord(begin));
  add<<<1024, 256>>>(memory, 1 << 18, 1);
  EXPECT_OK(cudaEventRecord(end));
  EXPECT_OK(cudaEventSynchronize(end));
  EXPECT_OK(cudaEventQuery(end));
  EXPECT_OK(cudaEventElapsedTime(&ms, begin, end));
  EXPECT(ms > 0 && ms < 10000);
  EXPECT_OK(cudaEventDestroy(begin));
  EXPECT_OK(cudaEventDestroy(end));
  EXPECT_OK(cudaFree(memory));
}

std::atomic<int> called{0};
void count_call(void* by) { called += *static_cast<int*>(by); }
void count_callback(cudaStream_t, cudaError_t code, void* by) {
  if (code == cudaSuccess) called += *static_cast<int*>(by);
}

void callbacks() {
  cudaStream_t stream = nullptr;
  int by = 5;
  EXPECT_OK(cudaStreamCreate(&stream));
  EXPECT_OK(cudaLaunchHostFunc(stream, count_call, &by));
  EXPECT_OK(cudaStreamAddCallback(stream, count_callback, &by, 0));
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT(called == 10);
  EXPECT_OK(cudaStreamDestroy(stream));
}

void pools() {
  cudaStream_t stream = nullptr;
  EXPECT_OK(cudaStreamCreate(&stream));
  int* memory = nullptr;
  EXPECT_OK(cudaMallocAsync(&memory, 4000, stream));
  EXPECT_OK(cudaMemsetAsync(memory, 0, 4000, stream));
  add<<<4, 256, 0, stream>>>(memory, 1000, 3);
  int last = 0;
  EXPECT_OK(cudaMemcpyAsync(&last, memory + 999, 4, cudaMemcpyDeviceToHost, stream));
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT(last == 3);
  EXPECT_OK(cudaFreeAsync(memory, stream));
  cudaMemPool_t pool = nullptr;
  EXPECT_OK(cudaDeviceGetDefaultMemPool(&pool, 0));
  unsigned long long threshold = 1 << 20, got = 0;
  EXPECT_OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  EXPECT_OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &got));
  EXPECT(got == threshold);
  EXPECT_OK(cudaMemPoolTrimTo(pool, 0));
  EXPECT_OK(cudaStreamDestroy(stream));
}

void threads() {
  std::atomic<int> right{0};
  std::vector<std::thread> all;
  for (int t = 0; t < 4; ++t) {
    all.emplace_back([&right, t] {
      // The last error is the thread's own.
      if (t == 0) cudaSetDevice(99);
      int *memory = nullptr, host[64] = {};
      if (cudaMalloc(&memory, sizeof host) != cudaSuccess) return;
      cudaMemset(memory, 0, sizeof host);
      for (int i = 0; i < 20; ++i) add<<<1, 64>>>(memory, 64, t);
      cudaMemcpy(host, memory, sizeof host, cudaMemcpyDeviceToHost);
      cudaFree(memory);
      if (host[63] == 20 * t && cudaGetLastError() == (t == 0 ? cudaErrorInvalidDevice : cudaSuccess))
        ++right;
    });
  }
  for (std::thread& thread : all) thread.join();
  EXPECT(right == 4);
  EXPECT_CODE(cudaGetLastError(), cudaSuccess);
}

int main() {
  streams();
  events();
  callbacks();
  pools();
  threads();
  return result();
}
