// Arrays, texture objects and surface objects.
#include <cuda_runtime.h>

#include <vector>

#include "expect.h"

__global__ void fetch_linear(cudaTextureObject_t from, float* to, int n) {
  if (threadIdx.x < n) to[threadIdx.x] = tex1Dfetch<float>(from, threadIdx.x);
}
__global__ void sample(cudaTextureObject_t from, float* to, float x, float y) {
  *to = tex2D<float>(from, x, y);
}
__global__ void sample_box(cudaTextureObject_t from, float* to, float x, float y, float z) {
  *to = tex3D<float>(from, x, y, z);
}
__global__ void transpose(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  float value = 0;
  surf2Dread(&value, from, threadIdx.x * 4, threadIdx.y);
  surf2Dwrite(value, to, threadIdx.y * 4, threadIdx.x);
}

float* out = nullptr;
float value() {
  float host = -1;
  EXPECT_OK(cudaMemcpy(&host, out, 4, cudaMemcpyDeviceToHost));
  return host;
}

cudaTextureDesc clamped(cudaTextureFilterMode filter) {
  cudaTextureDesc texture{};
  for (auto& mode : texture.addressMode) mode = cudaAddressModeClamp;
  texture.filterMode = filter;
  texture.readMode = cudaReadModeElementType;
  return texture;
}

void linear() {
  constexpr int n = 16;
  float host[n], *memory = nullptr, *to = nullptr;
  for (int i = 0; i < n; ++i) host[i] = i * 1.5f;
  EXPECT_OK(cudaMalloc(&memory, sizeof host));
  EXPECT_OK(cudaMalloc(&to, sizeof host));
  EXPECT_OK(cudaMemcpy(memory, host, sizeof host, cudaMemcpyHostToDevice));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = sizeof host;
  const cudaTextureDesc texture = clamped(cudaFilterModePoint);
  cudaTextureObject_t object = 0;
  EXPECT_OK(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  fetch_linear<<<1, n>>>(object, to, n);
  float back[n] = {};
  EXPECT_OK(cudaMemcpy(back, to, sizeof back, cudaMemcpyDeviceToHost));
  EXPECT(back[0] == 0 && back[n - 1] == 22.5f);
  cudaResourceDesc asked{};
  EXPECT_OK(cudaGetTextureObjectResourceDesc(&asked, object));
  EXPECT(asked.resType == cudaResourceTypeLinear && asked.res.linear.devPtr == memory);
  EXPECT_OK(cudaDestroyTextureObject(object));
  EXPECT_CODE(cudaCreateTextureObject(&object, nullptr, &texture, nullptr), cudaErrorInvalidValue);
  cudaGetLastError();
  EXPECT_OK(cudaFree(memory));
  EXPECT_OK(cudaFree(to));
}

void plane() {
  const float host[2][4] = {{0, 1, 2, 3}, {10, 11, 12, 13}};
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  EXPECT_OK(cudaMallocArray(&array, &channels, 4, 2));
  EXPECT_OK(cudaMemcpy2DToArray(array, 0, 0, host, 16, 16, 2, cudaMemcpyHostToDevice));
  cudaExtent extent{};
  cudaChannelFormatDesc asked{};
  unsigned flags = 9;
  EXPECT_OK(cudaArrayGetInfo(&asked, &extent, &flags, array));
  EXPECT(asked.x == 32 && asked.y == 0 && asked.f == cudaChannelFormatKindFloat);
  EXPECT(extent.width == 4 && extent.height == 2 && extent.depth == 0 && flags == 0);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc texture = clamped(cudaFilterModePoint);
  cudaTextureObject_t point = 0, smooth = 0;
  EXPECT_OK(cudaCreateTextureObject(&point, &resource, &texture, nullptr));
  texture = clamped(cudaFilterModeLinear);
  texture.normalizedCoords = 1;
  EXPECT_OK(cudaCreateTextureObject(&smooth, &resource, &texture, nullptr));
  sample<<<1, 1>>>(point, out, 2.5f, 1.5f);
  EXPECT(value() == 12);
  sample<<<1, 1>>>(point, out, 99.0f, -3.0f);
  EXPECT(value() == 3);
  sample<<<1, 1>>>(smooth, out, 0.5f, 0.5f);
  EXPECT(value() == 6.5f);
  float back[8] = {};
  EXPECT_OK(cudaMemcpy2DFromArray(back, 16, array, 0, 0, 16, 2, cudaMemcpyDeviceToHost));
  EXPECT(back[7] == 13);
  // The older calls: bytes that go on in the next row.
  const float more[] = {20, 21, 22};
  EXPECT_OK(cudaMemcpyToArray(array, 12, 0, more, sizeof more, cudaMemcpyHostToDevice));
  EXPECT_OK(cudaMemcpyFromArray(back, array, 0, 0, sizeof back, cudaMemcpyDeviceToHost));
  EXPECT(back[2] == 2 && back[3] == 20 && back[5] == 22 && back[6] == 12);
  EXPECT_CODE(cudaMemcpyToArray(array, 12, 1, more, sizeof more, cudaMemcpyHostToDevice),
              cudaErrorInvalidValue);
  cudaGetLastError();
  EXPECT_OK(cudaDestroyTextureObject(point));
  EXPECT_OK(cudaDestroyTextureObject(smooth));
  EXPECT_OK(cudaFreeArray(array));
  const cudaChannelFormatDesc odd = cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
  EXPECT(cudaMallocArray(&array, &odd, 4, 2) != cudaSuccess);
  cudaGetLastError();
}

void box() {
  float host[2][3][4];
  for (int i = 0; i < 24; ++i) (&host[0][0][0])[i] = static_cast<float>(i);
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  EXPECT_OK(cudaMalloc3DArray(&array, &channels, make_cudaExtent(4, 3, 2)));
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(host, 16, 4, 3);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(4, 3, 2);
  copy.kind = cudaMemcpyHostToDevice;
  EXPECT_OK(cudaMemcpy3D(&copy));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  const cudaTextureDesc texture = clamped(cudaFilterModePoint);
  cudaTextureObject_t object = 0;
  EXPECT_OK(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  sample_box<<<1, 1>>>(object, out, 3.5f, 2.5f, 1.5f);
  EXPECT(value() == 23);
  sample_box<<<1, 1>>>(object, out, 1.5f, 0.5f, 1.5f);
  EXPECT(value() == 13);
  EXPECT_OK(cudaDestroyTextureObject(object));
  EXPECT_OK(cudaFreeArray(array));
}

void surfaces() {
  constexpr int n = 8;
  float host[n][n], back[n][n] = {};
  for (int i = 0; i < n * n; ++i) (&host[0][0])[i] = static_cast<float>(i);
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
  cudaArray_t from = nullptr, to = nullptr;
  cudaSurfaceObject_t from_surface = 0, to_surface = 0;
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  EXPECT_OK(cudaMallocArray(&from, &channels, n, n, cudaArraySurfaceLoadStore));
  EXPECT_OK(cudaMallocArray(&to, &channels, n, n, cudaArraySurfaceLoadStore));
  EXPECT_OK(cudaMemcpy2DToArray(from, 0, 0, host, n * 4, n * 4, n, cudaMemcpyHostToDevice));
  resource.res.array.array = from;
  EXPECT_OK(cudaCreateSurfaceObject(&from_surface, &resource));
  resource.res.array.array = to;
  EXPECT_OK(cudaCreateSurfaceObject(&to_surface, &resource));
  transpose<<<1, dim3(n, n)>>>(from_surface, to_surface);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT_OK(cudaMemcpy2DFromArray(back, n * 4, to, 0, 0, n * 4, n, cudaMemcpyDeviceToHost));
  EXPECT(back[0][1] == host[1][0] && back[7][3] == host[3][7]);
  EXPECT_OK(cudaDestroySurfaceObject(from_surface));
  EXPECT_OK(cudaDestroySurfaceObject(to_surface));
  EXPECT_OK(cudaFreeArray(from));
  EXPECT_OK(cudaFreeArray(to));
}

int main() {
  EXPECT_OK(cudaMalloc(&out, 64));
  linear();
  plane();
  box();
  surfaces();
  return result();
}
