// nvcc: --default-stream per-thread
// Each host thread has a default stream of its own.
#include <cuda.h>
#include <cuda_runtime.h>

#include <atomic>
#include <thread>
#include <vector>

#include "expect.h"

__device__ int symbol[4];

__global__ void add(int* to, int n, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] += by;
}

unsigned long long id_of(cudaStream_t stream) {
  unsigned long long id = 0;
  EXPECT_OK(cudaStreamGetId(stream, &id));
  return id;
}

void names() {
  EXPECT(id_of(0) == id_of(cudaStreamPerThread));
  EXPECT(id_of(0) != id_of(cudaStreamLegacy));
  unsigned flags = 9;
  int priority = 9;
  EXPECT_OK(cudaStreamGetFlags(0, &flags));
  EXPECT(flags == cudaStreamDefault);
  EXPECT_OK(cudaStreamGetPriority(0, &priority));
  EXPECT(priority == 0);
  unsigned long long other = 0;
  std::thread([&] { other = id_of(0); }).join();
  EXPECT(other != id_of(0) && other != id_of(cudaStreamLegacy));
}

// Each call that has a second name for it.
void calls() {
  constexpr int n = 256;
  std::vector<int> ones(n, 1), back(n);
  int* memory = nullptr;
  EXPECT_OK(cudaMalloc(&memory, n * 4));
  EXPECT_OK(cudaMemset(memory, 0, n * 4));
  EXPECT_OK(cudaMemcpy(memory, ones.data(), n * 4, cudaMemcpyHostToDevice));
  add<<<1, n>>>(memory, n, 2);
  EXPECT_OK(cudaGetLastError());
  EXPECT_OK(cudaMemcpy(back.data(), memory, n * 4, cudaMemcpyDeviceToHost));
  EXPECT(back[0] == 3 && back[n - 1] == 3);
  EXPECT_OK(cudaMemset2D(memory, 64, 0, 4, 2));
  EXPECT_OK(cudaMemcpy2D(back.data(), 64, memory, 64, 64, 2, cudaMemcpyDeviceToHost));
  EXPECT(back[0] == 0 && back[1] == 3 && back[16] == 0);
  int four[4] = {1, 2, 3, 4}, again[4] = {};
  EXPECT_OK(cudaMemcpyToSymbol(symbol, four, sizeof four));
  EXPECT_OK(cudaMemcpyFromSymbol(again, symbol, sizeof again));
  EXPECT(again[3] == 4);
  EXPECT_OK(cudaMemcpyToSymbolAsync(symbol, &four[3], 4, 0, cudaMemcpyHostToDevice));
  EXPECT_OK(cudaMemcpyFromSymbolAsync(again, symbol, 4, 0, cudaMemcpyDeviceToHost));
  EXPECT_OK(cudaStreamSynchronize(0));
  EXPECT(again[0] == 4);
  cudaPitchedPtr box{};
  EXPECT_OK(cudaMalloc3D(&box, {16, 2, 2}));
  EXPECT_OK(cudaMemset3D(box, 1, {16, 2, 2}));
  cudaMemcpy3DParms all{};
  all.srcPtr = box;
  all.dstPtr = {back.data(), 16, 16, 2};
  all.extent = {16, 2, 2};
  all.kind = cudaMemcpyDeviceToHost;
  EXPECT_OK(cudaMemcpy3D(&all));
  EXPECT(back[0] == 0x01010101 && back[15] == 0x01010101);
  EXPECT_OK(cudaFree(box.ptr));
  cudaEvent_t done = nullptr;
  EXPECT_OK(cudaEventCreate(&done));
  add<<<1, n>>>(memory, n, 1);
  EXPECT_OK(cudaEventRecord(done));
  EXPECT_OK(cudaStreamWaitEvent(0, done, 0));
  EXPECT_OK(cudaStreamSynchronize(0));
  EXPECT_OK(cudaStreamQuery(0));
  EXPECT_OK(cudaEventQuery(done));
  EXPECT_OK(cudaEventDestroy(done));
  int* pooled = nullptr;
  EXPECT_OK(cudaMallocAsync(&pooled, 1024, 0));
  EXPECT_OK(cudaMemsetAsync(pooled, 0, 1024));
  EXPECT_OK(cudaMemcpyAsync(back.data(), pooled, 1024, cudaMemcpyDeviceToHost));
  EXPECT_OK(cudaFreeAsync(pooled, 0));
  EXPECT_OK(cudaStreamSynchronize(cudaStreamPerThread));
  EXPECT(back[5] == 0);
  EXPECT_OK(cudaFree(memory));
}

// The legacy default stream is there by its name.
void legacy() {
  int* memory = nullptr;
  int back = 0;
  EXPECT_OK(cudaMalloc(&memory, 4));
  EXPECT_OK(cudaMemsetAsync(memory, 0, 4, cudaStreamLegacy));
  add<<<1, 1, 0, cudaStreamLegacy>>>(memory, 1, 5);
  EXPECT_OK(cudaMemcpyAsync(&back, memory, 4, cudaMemcpyDeviceToHost, cudaStreamLegacy));
  EXPECT_OK(cudaStreamSynchronize(cudaStreamLegacy));
  EXPECT(back == 5);
  EXPECT_OK(cudaFree(memory));
}

// What the program asks of the driver by name is of the kind that it was compiled for.
void entry_points() {
  void *own = nullptr, *also = nullptr, *other = nullptr;
  cudaDriverEntryPointQueryResult found{};
  EXPECT_OK(cudaGetDriverEntryPointByVersion("cuStreamGetId", &own, 12000, cudaEnableDefault, &found));
  EXPECT_OK(cudaGetDriverEntryPointByVersion("cuStreamGetId", &also, 12000, cudaEnablePerThreadDefaultStream,
                                             &found));
  EXPECT_OK(cudaGetDriverEntryPointByVersion("cuStreamGetId", &other, 12000, cudaEnableLegacyStream, &found));
  EXPECT(own != nullptr && own == also && own != other);
}

void many_threads() {
  std::atomic<int> right{0};
  std::vector<std::thread> all;
  for (int t = 0; t < 8; ++t) {
    all.emplace_back([&right, t] {
      int *memory = nullptr, host[64] = {};
      if (cudaMalloc(&memory, sizeof host) != cudaSuccess) return;
      cudaMemsetAsync(memory, 0, sizeof host);
      for (int i = 0; i < 20; ++i) add<<<1, 64>>>(memory, 64, t);
      cudaMemcpyAsync(host, memory, sizeof host, cudaMemcpyDeviceToHost);
      const bool done = cudaStreamSynchronize(0) == cudaSuccess;
      cudaFree(memory);
      if (done && host[63] == 20 * t) ++right;
    });
  }
  for (std::thread& thread : all) thread.join();
  EXPECT(right == 8);
}

int main() {
  names();
  calls();
  legacy();
  entry_points();
  many_threads();
  return result();
}
