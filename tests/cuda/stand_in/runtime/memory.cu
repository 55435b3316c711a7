// Memory of all kinds, and copies between them.
#include <cuda_runtime.h>

#include <cstring>
#include <vector>

#include "expect.h"

__device__ int counter = 7;
__device__ int table[4] = {1, 2, 3, 4};
__constant__ float scale[2];

__global__ void fill(int* to, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = value + i;
}
__global__ void read_symbols(float* to) {
  to[0] = scale[0] + scale[1];
  to[1] = static_cast<float>(counter + table[3]);
}

void ranges() {
  int *a = nullptr, *b = nullptr;
  EXPECT_OK(cudaMalloc(&a, 1000 * sizeof(int)));
  EXPECT_OK(cudaMalloc(&b, 1000 * sizeof(int)));
  EXPECT(a != nullptr && b != nullptr && a != b);
  std::vector<int> host(1000, -1);
  fill<<<8, 128>>>(a, 1000, 5);
  EXPECT_OK(cudaMemcpy(host.data(), a, 4000, cudaMemcpyDeviceToHost));
  EXPECT(host[0] == 5 && host[999] == 1004);
  EXPECT_OK(cudaMemcpy(b, a, 4000, cudaMemcpyDeviceToDevice));
  EXPECT_OK(cudaMemset(a, 0, 4000));
  EXPECT_OK(cudaMemcpy(host.data(), a, 4000, cudaMemcpyDefault));
  EXPECT(host[0] == 0 && host[999] == 0);
  EXPECT_OK(cudaMemcpy(host.data(), b + 500, 4, cudaMemcpyDeviceToHost));
  EXPECT(host[0] == 505);
  std::vector<int> other(1000, 0);
  EXPECT_OK(cudaMemcpy(other.data(), host.data(), 4000, cudaMemcpyHostToHost));
  EXPECT(other[0] == 505);
  EXPECT_OK(cudaMemset(a, 0xff, 8));
  EXPECT_OK(cudaMemcpy(host.data(), a, 12, cudaMemcpyDeviceToHost));
  EXPECT(host[0] == -1 && host[1] == -1 && host[2] == 0);
  // What is wrong.
  EXPECT_CODE(cudaMemcpy(host.data(), a, 4, static_cast<cudaMemcpyKind>(9)), cudaErrorInvalidMemcpyDirection);
  EXPECT_CODE(cudaGetLastError(), cudaErrorInvalidMemcpyDirection);
  EXPECT_CODE(cudaGetLastError(), cudaSuccess);
  EXPECT_CODE(cudaMemcpy(nullptr, a, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_OK(cudaMemcpy(nullptr, a, 0, cudaMemcpyDeviceToHost));
  EXPECT_CODE(cudaMemcpy(a, host.data(), 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_CODE(cudaMemcpy(a, host.data(), 8000, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_CODE(cudaMalloc(nullptr, 4), cudaErrorInvalidValue);
  EXPECT_CODE(cudaMalloc(&b, size_t{1} << 50), cudaErrorMemoryAllocation);
  cudaPitchedPtr solid{};  // its rows are 2 to the power of 64, and one more
  EXPECT(cudaMalloc3D(&solid, {16, (size_t{1} << 63) + 1, 2}) != cudaSuccess);
  cudaGetLastError();
  int* none = a;
  EXPECT_OK(cudaMalloc(&none, 0));
  EXPECT(none == nullptr);
  EXPECT_OK(cudaFree(nullptr));
  EXPECT_OK(cudaFree(a));
  EXPECT_CODE(cudaFree(a), cudaErrorInvalidValue);
  int on_stack = 0;
  EXPECT_CODE(cudaFree(&on_stack), cudaErrorInvalidValue);
  cudaGetLastError();
  size_t free_bytes = 0, total = 0;
  EXPECT_OK(cudaMemGetInfo(&free_bytes, &total));
  EXPECT(free_bytes > 0 && free_bytes <= total);
}

void rows() {
  constexpr size_t width = 100, height = 7;
  char* pitched = nullptr;
  size_t pitch = 0;
  EXPECT_OK(cudaMallocPitch(&pitched, &pitch, width, height));
  EXPECT(pitch >= width && pitch % 32 == 0);
  std::vector<char> host(width * height), back(width * height, 0);
  for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<char>(i);
  EXPECT_OK(cudaMemset2D(pitched, pitch, 1, width, height));
  EXPECT_OK(cudaMemcpy2D(back.data(), width, pitched, pitch, width, height, cudaMemcpyDeviceToHost));
  EXPECT(back.front() == 1 && back.back() == 1);
  EXPECT_OK(cudaMemcpy2D(pitched, pitch, host.data(), width, width, height, cudaMemcpyHostToDevice));
  EXPECT_OK(cudaMemcpy2D(back.data(), width, pitched, pitch, width, height, cudaMemcpyDeviceToHost));
  EXPECT(back == host);
  EXPECT_CODE(cudaMemcpy2D(back.data(), 10, pitched, pitch, width, height, cudaMemcpyDeviceToHost),
              cudaErrorInvalidPitchValue);
  cudaGetLastError();
  EXPECT_OK(cudaFree(pitched));

  const cudaExtent extent = make_cudaExtent(40, 5, 3);
  cudaPitchedPtr box{};
  EXPECT_OK(cudaMalloc3D(&box, extent));
  EXPECT(box.pitch >= 40 && box.xsize == 40 && box.ysize == 5);
  EXPECT_OK(cudaMemset3D(box, 3, extent));
  std::vector<char> cube(40 * 5 * 3, 0), cube_back(cube);
  for (size_t i = 0; i < cube.size(); ++i) cube[i] = static_cast<char>(i % 100);
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(cube_back.data(), 40, 40, 5);
  copy.dstPtr = box;
  std::swap(copy.srcPtr, copy.dstPtr);
  copy.extent = extent;
  copy.kind = cudaMemcpyDeviceToHost;
  EXPECT_OK(cudaMemcpy3D(&copy));
  EXPECT(cube_back.front() == 3 && cube_back.back() == 3);
  copy.srcPtr = make_cudaPitchedPtr(cube.data(), 40, 40, 5);
  copy.dstPtr = box;
  copy.kind = cudaMemcpyHostToDevice;
  EXPECT_OK(cudaMemcpy3D(&copy));
  copy.srcPtr = box;
  copy.dstPtr = make_cudaPitchedPtr(cube_back.data(), 40, 40, 5);
  copy.kind = cudaMemcpyDeviceToHost;
  EXPECT_OK(cudaMemcpy3D(&copy));
  EXPECT(cube_back == cube);
  EXPECT_OK(cudaFree(box.ptr));
}

void symbols() {
  const float factors[] = {1.5f, 2.5f};
  EXPECT_OK(cudaMemcpyToSymbol(scale, factors, sizeof factors));
  int host[4] = {};
  EXPECT_OK(cudaMemcpyFromSymbol(host, table, sizeof table));
  EXPECT(host[0] == 1 && host[3] == 4);
  const int nine = 9;
  EXPECT_OK(cudaMemcpyToSymbol(table, &nine, sizeof nine, 3 * sizeof nine));
  float* out = nullptr;
  float sums[2] = {};
  EXPECT_OK(cudaMalloc(&out, sizeof sums));
  read_symbols<<<1, 1>>>(out);
  EXPECT_OK(cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost));
  EXPECT(sums[0] == 4.0f && sums[1] == 16.0f);
  void* address = nullptr;
  size_t bytes = 0;
  EXPECT_OK(cudaGetSymbolAddress(&address, counter));
  EXPECT_OK(cudaGetSymbolSize(&bytes, table));
  EXPECT(address != nullptr && bytes == 16);
  const int eight = 8;
  EXPECT_OK(cudaMemcpy(address, &eight, 4, cudaMemcpyHostToDevice));
  int now = 0;
  EXPECT_OK(cudaMemcpyFromSymbol(&now, counter, 4));
  EXPECT(now == 8);
  EXPECT_CODE(cudaMemcpyToSymbol(table, host, 32), cudaErrorInvalidValue);
  EXPECT_CODE(cudaMemcpyFromSymbol(host, &now, 4), cudaErrorInvalidSymbol);
  EXPECT_CODE(cudaGetSymbolSize(&bytes, &now), cudaErrorInvalidSymbol);
  EXPECT_CODE(cudaGetLastError(), cudaErrorInvalidSymbol);
  EXPECT_OK(cudaFree(out));
}

void host_memory() {
  int *pinned = nullptr, *mapped = nullptr, *on_device = nullptr;
  EXPECT_OK(cudaMallocHost(&pinned, 400));
  EXPECT_OK(cudaHostAlloc(&mapped, 400, cudaHostAllocMapped));
  EXPECT_OK(cudaHostGetDevicePointer(&on_device, mapped, 0));
  fill<<<1, 100>>>(on_device, 100, 1);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(mapped[0] == 1 && mapped[99] == 100);
  unsigned flags = 0;
  EXPECT_OK(cudaHostGetFlags(&flags, mapped));
  EXPECT((flags & cudaHostAllocMapped) != 0);
  cudaPointerAttributes attributes{};
  EXPECT_OK(cudaPointerGetAttributes(&attributes, pinned));
  EXPECT(attributes.type == cudaMemoryTypeHost);
  int on_stack = 0;
  EXPECT_OK(cudaPointerGetAttributes(&attributes, &on_stack));
  EXPECT(attributes.type == cudaMemoryTypeUnregistered);
  EXPECT_OK(cudaMalloc(&on_device, 4));
  EXPECT_OK(cudaPointerGetAttributes(&attributes, on_device));
  EXPECT(attributes.type == cudaMemoryTypeDevice && attributes.devicePointer == on_device);
  EXPECT_OK(cudaFree(on_device));
  EXPECT_OK(cudaFreeHost(pinned));
  EXPECT_OK(cudaFreeHost(mapped));
  EXPECT_OK(cudaFreeHost(nullptr));
  std::vector<int> pages(4096, 2);
  EXPECT_OK(cudaHostRegister(pages.data(), pages.size() * 4, cudaHostRegisterDefault));
  EXPECT_OK(cudaHostUnregister(pages.data()));
  EXPECT_CODE(cudaHostUnregister(pages.data()), cudaErrorHostMemoryNotRegistered);
  cudaGetLastError();
}

int main() {
  ranges();
  rows();
  symbols();
  host_memory();
  return result();
}
