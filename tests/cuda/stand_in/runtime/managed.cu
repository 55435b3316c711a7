// Managed memory and variables, and what kernels do by themselves: printf, malloc, clock.
#include <cuda_runtime.h>

#include "expect.h"

__managed__ int total = 5;
__managed__ float values[100];
__device__ int plain = 3;

__global__ void count(int by) {
  atomicAdd(&total, by);
  values[threadIdx.x] = threadIdx.x * 0.5f + plain;
}
__global__ void increment(int* data, int n) {
  if (threadIdx.x < n) ++data[threadIdx.x];
}
__global__ void own_heap(int* to) {
  int* mine = static_cast<int*>(malloc(sizeof(int) * 4));
  if (mine == nullptr) return;
  mine[3] = threadIdx.x;
  atomicAdd(to, mine[3]);
  free(mine);
}

int main() {
  total = 100;
  count<<<1, 100>>>(2);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(total == 300);
  EXPECT(values[0] == 3.0f && values[99] == 52.5f);

  int* data = nullptr;
  EXPECT_OK(cudaMallocManaged(&data, 64 * sizeof(int)));
  for (int i = 0; i < 64; ++i) data[i] = i;
  cudaPointerAttributes attributes{};
  EXPECT_OK(cudaPointerGetAttributes(&attributes, data));
  EXPECT(attributes.type == cudaMemoryTypeManaged);
#if CUDART_VERSION >= 13000
  const cudaMemLocation device{cudaMemLocationTypeDevice, 0};
  EXPECT_OK(cudaMemAdvise(data, 256, cudaMemAdviseSetReadMostly, device));
  EXPECT_OK(cudaMemPrefetchAsync(data, 256, device, 0));
#else
  EXPECT_OK(cudaMemAdvise(data, 256, cudaMemAdviseSetReadMostly, 0));
  EXPECT_OK(cudaMemPrefetchAsync(data, 256, 0));
#endif
  int place = 7;
  EXPECT_OK(cudaMemRangeGetAttribute(&place, sizeof place, cudaMemRangeAttributeReadMostly, data, 256));
  EXPECT(place == 1);
  EXPECT_OK(
      cudaMemRangeGetAttribute(&place, sizeof place, cudaMemRangeAttributeLastPrefetchLocation, data, 256));
  EXPECT(place == 0);
  EXPECT_OK(
      cudaMemRangeGetAttribute(&place, sizeof place, cudaMemRangeAttributePreferredLocation, data, 256));
  EXPECT(place == cudaInvalidDeviceId);
  int users[3] = {};
  void* answers[2] = {&place, users};
  size_t sizes[2] = {sizeof place, sizeof users};
  cudaMemRangeAttribute asked[2] = {cudaMemRangeAttributeReadMostly, cudaMemRangeAttributeAccessedBy};
  EXPECT_OK(cudaMemRangeGetAttributes(answers, sizes, asked, 2, data, 256));
  EXPECT(place == 1 && users[0] == cudaInvalidDeviceId && users[2] == cudaInvalidDeviceId);
  EXPECT_CODE(cudaMemRangeGetAttribute(&place, 3, cudaMemRangeAttributeReadMostly, data, 256),
              cudaErrorInvalidValue);
  EXPECT_CODE(cudaMemRangeGetAttribute(&place, 4, cudaMemRangeAttributeReadMostly, users, 8),
              cudaErrorInvalidValue);
  cudaGetLastError();
  increment<<<1, 64>>>(data, 64);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(data[0] == 1 && data[63] == 64);
  int copy[64] = {};
  EXPECT_OK(cudaMemcpy(copy, data, sizeof copy, cudaMemcpyDeviceToHost));
  EXPECT(copy[63] == 64);
  data[0] = 0;
  own_heap<<<1, 32>>>(data);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(data[0] == 31 * 32 / 2);
  EXPECT_OK(cudaFree(data));
  EXPECT_OK(cudaMallocManaged(&data, 0));
  EXPECT(data == nullptr);
  // A reset brings the first values of the device's variables back; those that are managed stay.
  const int seven = 7;
  EXPECT_OK(cudaMemcpyToSymbol(plain, &seven, sizeof seven));
  EXPECT_OK(cudaDeviceReset());
  EXPECT(total == 300);
  count<<<1, 100>>>(1);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(total == 400);
  EXPECT(values[0] == 3.0f);
  EXPECT_OK(cudaDeviceReset());
  total = 50;
  count<<<1, 100>>>(1);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(total == 150);
  return result();
}
