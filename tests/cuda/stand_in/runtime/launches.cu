// Launches: shapes, arguments, what is refused, attributes and occupancy of kernels.
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstring>

#include "expect.h"

struct Pair {
  double first;
  short second;
};

__global__ void many(int* to, char a, Pair pair, float x, long long big) {
  *to = a + static_cast<int>(pair.first) + pair.second + static_cast<int>(x) + static_cast<int>(big >> 32);
}
__global__ void where(unsigned* to) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  to[block * blockDim.x * blockDim.y * blockDim.z + thread] = block * 1000 + thread;
}
__global__ void shared_sum(int* to, int n) {
  extern __shared__ int values[];
  values[threadIdx.x] = threadIdx.x < n ? threadIdx.x : 0;
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) values[threadIdx.x] += values[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) *to = values[0];
}
template <class T>
__global__ void twice(T* value) {
  *value = *value + *value;
}
__global__ void __launch_bounds__(64) bounded(int* to) { *to = 64; }
__global__ void grid_wide(int* values, int n) {
  const auto grid = cooperative_groups::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
  if (i < n) values[i] = i;
  grid.sync();
  if (i < n) values[n + i] = values[n - 1 - i];
}
__device__ int plus(int a, int b) { return a + b; }
__device__ int times(int a, int b) { return a * b; }
__global__ void by_pointer(int* to, int which) {
  int (*operation)(int, int) = which == 0 ? plus : times;
  *to = operation(6, 7);
}

int* out = nullptr;
int value() {
  int host = -1;
  EXPECT_OK(cudaMemcpy(&host, out, 4, cudaMemcpyDeviceToHost));
  return host;
}

void arguments() {
  many<<<1, 1>>>(out, 'a', {1000.0, 7}, 2.5f, 3ll << 32);
  EXPECT_OK(cudaGetLastError());
  EXPECT(value() == 97 + 1000 + 7 + 2 + 3);
  double* number = nullptr;
  double host = 1.25;
  EXPECT_OK(cudaMalloc(&number, sizeof host));
  EXPECT_OK(cudaMemcpy(number, &host, sizeof host, cudaMemcpyHostToDevice));
  twice<<<1, 1>>>(number);
  EXPECT_OK(cudaMemcpy(&host, number, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host == 2.5);
  EXPECT_OK(cudaFree(number));
  int which = 1;
  void* pointers[] = {&out, &which};
  EXPECT_OK(cudaLaunchKernel(by_pointer, dim3(1), dim3(1), pointers, 0, nullptr));
  EXPECT(value() == 42);
  which = 0;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = dim3(1);
  EXPECT_OK(cudaLaunchKernelEx(&config, by_pointer, out, which));
  EXPECT(value() == 13);
}

void shapes() {
  unsigned* places = nullptr;
  constexpr unsigned blocks = 2 * 3 * 2, threads = 4 * 2 * 3;
  unsigned host[blocks * threads] = {};
  EXPECT_OK(cudaMalloc(&places, sizeof host));
  where<<<dim3(2, 3, 2), dim3(4, 2, 3)>>>(places);
  EXPECT_OK(cudaMemcpy(host, places, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host[0] == 0 && host[threads] == 1000 && host[blocks * threads - 1] == 11023);
  EXPECT_OK(cudaFree(places));
  shared_sum<<<1, 256, 1024>>>(out, 200);
  EXPECT(value() == 199 * 200 / 2);
}

// The same call has another code since CUDA 13.
#if CUDART_VERSION >= 13000
constexpr cudaError_t invalid_shape = cudaErrorInvalidValue;
#else
constexpr cudaError_t invalid_shape = cudaErrorInvalidConfiguration;
#endif

void refused() {
  twice<<<1, 2000>>>(out);
  EXPECT_CODE(cudaGetLastError(), invalid_shape);
  twice<<<0, 1>>>(out);
  EXPECT_CODE(cudaPeekAtLastError(), invalid_shape);
  EXPECT_CODE(cudaGetLastError(), invalid_shape);
  EXPECT_CODE(cudaGetLastError(), cudaSuccess);
  twice<<<dim3(1, 70000), 1>>>(out);
  EXPECT_CODE(cudaGetLastError(), invalid_shape);
  twice<<<1, dim3(1, 1, 65)>>>(out);
  EXPECT_CODE(cudaGetLastError(), invalid_shape);
  shared_sum<<<1, 32, 60000>>>(out, 1);
  EXPECT_CODE(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_OK(cudaFuncSetAttribute(shared_sum, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
  shared_sum<<<1, 32, 60000>>>(out, 2);
  EXPECT_CODE(cudaGetLastError(), cudaSuccess);
  EXPECT(value() == 1);
  EXPECT_CODE(cudaFuncSetAttribute(shared_sum, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 24),
              cudaErrorInvalidValue);
  int no_kernel = 0;
  EXPECT_CODE(cudaLaunchKernel(&no_kernel, dim3(1), dim3(1), nullptr, 0, nullptr),
              cudaErrorInvalidResourceHandle);
  EXPECT_CODE(cudaGetLastError(), cudaErrorInvalidResourceHandle);
}

void attributes() {
  cudaFuncAttributes of{};
  EXPECT_OK(cudaFuncGetAttributes(&of, bounded));
  EXPECT(of.maxThreadsPerBlock == 64);
  EXPECT_OK(cudaFuncGetAttributes(&of, twice<int>));
  EXPECT(of.maxThreadsPerBlock == 1024 && of.sharedSizeBytes == 0 && of.ptxVersion >= 50);
  EXPECT_CODE(cudaFuncGetAttributes(nullptr, bounded), cudaErrorInvalidValue);
  cudaGetLastError();
  int blocks = 0, block = 0, grid = 0;
  EXPECT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, twice<int>, 256, 0));
  EXPECT(blocks >= 4 && blocks <= 32);
  EXPECT_OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, twice<int>, 0, 0));
  EXPECT(block > 0 && block <= 1024 && block % 32 == 0 && grid > 0);
  cudaKernel_t kernel = nullptr;
  EXPECT_OK(cudaGetKernel(&kernel, reinterpret_cast<const void*>(bounded)));
  EXPECT(kernel != nullptr);
  const char* name = nullptr;
  EXPECT_OK(cudaFuncGetName(&name, reinterpret_cast<const void*>(bounded)));
  EXPECT(name != nullptr && std::strstr(name, "bounded") != nullptr);
}

void cooperative() {
  constexpr int n = 300;
  int* values = nullptr;
  int host[2 * n] = {}, count = n;
  EXPECT_OK(cudaMalloc(&values, sizeof host));
  void* pointers[] = {&values, &count};
  EXPECT_OK(cudaLaunchCooperativeKernel(grid_wide, dim3(5), dim3(64), pointers));
  EXPECT_OK(cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host[n] == n - 1 && host[2 * n - 1] == 0);
  EXPECT_CODE(cudaLaunchCooperativeKernel(grid_wide, dim3(100000), dim3(1024), pointers),
              cudaErrorCooperativeLaunchTooLarge);
  EXPECT_CODE(cudaGetLastError(), cudaErrorCooperativeLaunchTooLarge);
  EXPECT_OK(cudaFree(values));
}

// A tile of several warps has its barrier in shared memory that belongs to the system.
__global__ void tiles_of_two_warps(int* to) {
  __shared__ cooperative_groups::block_tile_memory<256> room;
  __shared__ int own[256];
  const auto tile = cooperative_groups::tiled_partition<64>(cooperative_groups::this_thread_block(room));
  own[threadIdx.x] = threadIdx.x;
  tile.sync();
  const int other = own[threadIdx.x ^ 32];
  to[threadIdx.x] = tile.shfl(other, 40) * 1000 + other;
}

// Turn after turn, so that barriers and the room for values are used again.
template <unsigned int Size>
__global__ void busy_tiles(unsigned long long* to) {
  __shared__ cooperative_groups::block_tile_memory<1024> room;
  const auto tile = cooperative_groups::tiled_partition<Size>(cooperative_groups::this_thread_block(room));
  unsigned long long one = threadIdx.x;
  unsigned int other = 7;
  for (unsigned int turn = 0; turn < 10; ++turn) {
    one += tile.shfl(one, (turn * 37) % Size);
    if (tile.any(tile.thread_rank() == turn && tile.meta_group_rank() % 2 == 0)) other += turn;
    if (tile.all(tile.meta_group_rank() != 1)) other *= 3;
  }
  to[threadIdx.x] = one * 1000000 + tile.shfl(other, Size - 1);
}
template <unsigned int Size>
bool are_right() {
  unsigned long long *values = nullptr, is[1024] = {}, wanted[1024], ones[1024];
  EXPECT_OK(cudaMalloc(&values, sizeof is));
  busy_tiles<Size><<<1, 1024>>>(values);
  EXPECT_OK(cudaMemcpy(is, values, sizeof is, cudaMemcpyDeviceToHost));
  EXPECT_OK(cudaFree(values));
  for (unsigned int first = 0; first < 1024; first += Size) {
    const unsigned int tile = first / Size;
    unsigned int other = 7;
    for (unsigned int i = 0; i < Size; ++i) ones[first + i] = first + i;
    for (unsigned int turn = 0; turn < 10; ++turn) {
      const unsigned long long from = ones[first + (turn * 37) % Size];
      for (unsigned int i = 0; i < Size; ++i) ones[first + i] += from;
      if (tile % 2 == 0) other += turn;
      if (tile != 1) other *= 3;
    }
    for (unsigned int i = 0; i < Size; ++i) wanted[first + i] = ones[first + i] * 1000000 + other;
  }
  return std::memcmp(is, wanted, sizeof is) == 0;
}

void tiles() {
  EXPECT(are_right<32>());
  EXPECT(are_right<64>());
  EXPECT(are_right<128>());
  EXPECT(are_right<512>());
  int* values = nullptr;
  int host[256] = {};
  EXPECT_OK(cudaMalloc(&values, sizeof host));
  tiles_of_two_warps<<<1, 256>>>(values);
  EXPECT_OK(cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost));
  int right = 0;
  for (int i = 0; i < 256; ++i) right += host[i] == ((i / 64 * 64 + 40) ^ 32) * 1000 + (i ^ 32) ? 1 : 0;
  EXPECT(right == 256);
  EXPECT_OK(cudaFree(values));
}

__global__ void add_halves(__half* one, __half2* pair) {
  const __half step = __float2half(0.5f);
  atomicAdd(one, +step);
  atomicAdd(pair, __halves2half2(step, -step));
}
void halves() {
  unsigned* values = nullptr;
  unsigned host[2] = {};
  EXPECT_OK(cudaMalloc(&values, sizeof host));
  EXPECT_OK(cudaMemset(values, 0, sizeof host));
  add_halves<<<2, 32>>>(reinterpret_cast<__half*>(values), reinterpret_cast<__half2*>(values + 1));
  EXPECT_OK(cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host[0] == 0x5000u && host[1] == 0xd0005000u);  // 32 and -32
  EXPECT_OK(cudaFree(values));
}

int main() {
  EXPECT_OK(cudaMalloc(&out, 64));
  arguments();
  shapes();
  refused();
  attributes();
  cooperative();
  tiles();
  halves();
  EXPECT_OK(cudaFree(out));
  return result();
}
