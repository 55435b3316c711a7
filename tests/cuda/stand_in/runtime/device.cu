// The device: its properties against its attributes, limits, versions, names of errors, reset.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstring>

#include "expect.h"

__global__ void hello(int n) { printf("hello %d\n", n); }
__device__ int kept = 1;

int attribute(cudaDeviceAttr which) {
  int value = -1;
  EXPECT_OK(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

void properties() {
  int count = 0, device = -1;
  EXPECT_OK(cudaGetDeviceCount(&count));
  EXPECT(count >= 1);
  EXPECT_OK(cudaSetDevice(0));
  EXPECT_OK(cudaGetDevice(&device));
  EXPECT(device == 0);
  EXPECT_CODE(cudaSetDevice(-1), cudaErrorInvalidDevice);
  EXPECT_CODE(cudaGetLastError(), cudaErrorInvalidDevice);
  cudaDeviceProp of{};
  EXPECT_OK(cudaGetDeviceProperties(&of, 0));
  EXPECT(std::strlen(of.name) > 3);
  EXPECT(of.totalGlobalMem > size_t{1} << 28);
  EXPECT(of.warpSize == 32 && of.warpSize == attribute(cudaDevAttrWarpSize));
  EXPECT(of.major == attribute(cudaDevAttrComputeCapabilityMajor));
  EXPECT(of.minor == attribute(cudaDevAttrComputeCapabilityMinor));
  EXPECT(of.multiProcessorCount == attribute(cudaDevAttrMultiProcessorCount));
  EXPECT(of.maxThreadsPerBlock == attribute(cudaDevAttrMaxThreadsPerBlock));
  EXPECT(of.maxThreadsDim[2] == attribute(cudaDevAttrMaxBlockDimZ));
  EXPECT(of.maxGridSize[0] == attribute(cudaDevAttrMaxGridDimX));
  EXPECT(of.sharedMemPerBlock == size_t(attribute(cudaDevAttrMaxSharedMemoryPerBlock)));
  EXPECT(of.sharedMemPerBlockOptin == size_t(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)));
  EXPECT(of.sharedMemPerMultiprocessor == size_t(attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor)));
  EXPECT(of.regsPerBlock == attribute(cudaDevAttrMaxRegistersPerBlock));
  EXPECT(of.totalConstMem == size_t(attribute(cudaDevAttrTotalConstantMemory)));
  EXPECT(of.l2CacheSize == attribute(cudaDevAttrL2CacheSize));
  EXPECT(of.memoryBusWidth == attribute(cudaDevAttrGlobalMemoryBusWidth));
  EXPECT(of.maxThreadsPerMultiProcessor == attribute(cudaDevAttrMaxThreadsPerMultiProcessor));
  EXPECT(of.maxBlocksPerMultiProcessor == attribute(cudaDevAttrMaxBlocksPerMultiprocessor));
  EXPECT(of.cooperativeLaunch == attribute(cudaDevAttrCooperativeLaunch));
  EXPECT(of.managedMemory == attribute(cudaDevAttrManagedMemory));
  EXPECT(of.unifiedAddressing == 1 && of.canMapHostMemory == 1);
  EXPECT(of.memoryPoolsSupported == attribute(cudaDevAttrMemoryPoolsSupported));
  EXPECT(of.pciBusID == attribute(cudaDevAttrPciBusId));
  EXPECT_CODE(cudaGetDeviceProperties(&of, 99), cudaErrorInvalidDevice);
  EXPECT_CODE(cudaDeviceGetAttribute(&count, cudaDevAttrWarpSize, 99), cudaErrorInvalidDevice);
  int can = 9;
  EXPECT_OK(cudaDeviceCanAccessPeer(&can, 0, 0));
  EXPECT(can == 0);
  cudaGetLastError();
}

void versions() {
  int driver = 0, runtime = 0;
  EXPECT_OK(cudaDriverGetVersion(&driver));
  EXPECT_OK(cudaRuntimeGetVersion(&runtime));
  EXPECT(driver >= runtime && runtime >= 12000);
  EXPECT_CODE(cudaRuntimeGetVersion(nullptr), cudaErrorInvalidValue);
  cudaGetLastError();
}

void errors() {
  EXPECT(std::strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
  EXPECT(std::strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") == 0);
  EXPECT(std::strcmp(cudaGetErrorString(cudaSuccess), "no error") == 0);
  EXPECT(std::strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") == 0);
  EXPECT(std::strcmp(cudaGetErrorString(cudaErrorIllegalAddress),
                     "an illegal memory access was encountered") == 0);
  EXPECT(std::strcmp(cudaGetErrorString(static_cast<cudaError_t>(12345)), "unrecognized error code") == 0);
}

void limits() {
  size_t bytes = 0;
  EXPECT_OK(cudaDeviceGetLimit(&bytes, cudaLimitPrintfFifoSize));
  EXPECT(bytes > 0);
  EXPECT_OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, size_t{64} << 20));
  EXPECT_OK(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
  EXPECT(bytes >= size_t{64} << 20);
  EXPECT_OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
  cudaFuncCache config{};
  EXPECT_OK(cudaDeviceGetCacheConfig(&config));
  EXPECT(config == cudaFuncCachePreferL1);
}

// Both APIs in one program have one context.
void with_driver_api() {
  CUcontext context = nullptr;
  EXPECT(cuCtxGetCurrent(&context) == CUDA_SUCCESS && context != nullptr);
  CUdeviceptr memory = 0;
  EXPECT(cuMemAlloc(&memory, 16) == CUDA_SUCCESS);
  EXPECT_OK(cudaMemset(reinterpret_cast<void*>(memory), 1, 16));
  unsigned char host[16] = {};
  EXPECT(cuMemcpyDtoH(host, memory, 16) == CUDA_SUCCESS);
  EXPECT(host[15] == 1);
  EXPECT_OK(cudaFree(reinterpret_cast<void*>(memory)));
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult status{};
  EXPECT_OK(cudaGetDriverEntryPointByVersion("cuDeviceGetCount", &entry, 12000, cudaEnableDefault, &status));
  EXPECT(entry != nullptr && status == cudaDriverEntryPointSuccess);
}

void reset() {
  const int two = 2;
  int now = 0;
  EXPECT_OK(cudaMemcpyToSymbol(kept, &two, 4));
  EXPECT_OK(cudaDeviceReset());
  // The module is loaded again, with its initial values.
  EXPECT_OK(cudaMemcpyFromSymbol(&now, kept, 4));
  EXPECT(now == 1);
  hello<<<1, 2>>>(3);
  EXPECT_OK(cudaDeviceSynchronize());
}

int main() {
  properties();
  versions();
  errors();
  limits();
  with_driver_api();
  reset();
  return result();
}
