// Names that CUDA 13 has removed from the runtime API. The members of cudaDeviceProp come back in a struct
// that is derived from it.
#if defined(__cplusplus) && !defined(WARPLENS_OLDER_NAMES)
#define WARPLENS_OLDER_NAMES
#include <cuda_runtime.h>

static inline cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
static inline cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
static inline cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}
static inline cudaError_t cudaThreadGetLimit(size_t* value, cudaLimit limit) {
  return cudaDeviceGetLimit(value, limit);
}
static inline cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) {
  return cudaDeviceSetCacheConfig(config);
}
static inline cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* config) {
  return cudaDeviceGetCacheConfig(config);
}

static inline cudaMemLocation warplens_place(int device) {
  cudaMemLocation place = {};
  place.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  place.id = device == cudaCpuDeviceId ? 0 : device;
  return place;
}
static inline cudaError_t cudaMemPrefetchAsync(const void* address, size_t bytes, int device,
                                               cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync(address, bytes, warplens_place(device), 0, stream);
}
static inline cudaError_t cudaMemAdvise(const void* address, size_t bytes, cudaMemoryAdvise advice,
                                        int device) {
  return cudaMemAdvise(address, bytes, advice, warplens_place(device));
}

struct warplens_device_properties : cudaDeviceProp {
  int clockRate, memoryClockRate, deviceOverlap, kernelExecTimeoutEnabled, computeMode,
      singleToDoublePrecisionPerfRatio, cooperativeMultiDeviceLaunch, maxTexture1DLinear;
};
static inline cudaError_t cudaGetDeviceProperties(warplens_device_properties* made, int device) {
  const cudaError_t error = cudaGetDeviceProperties(static_cast<cudaDeviceProp*>(made), device);
  if (error != cudaSuccess) return error;
  made->cooperativeMultiDeviceLaunch = 0;
  cudaDeviceGetAttribute(&made->clockRate, cudaDevAttrClockRate, device);
  cudaDeviceGetAttribute(&made->memoryClockRate, cudaDevAttrMemoryClockRate, device);
  cudaDeviceGetAttribute(&made->deviceOverlap, cudaDevAttrGpuOverlap, device);
  cudaDeviceGetAttribute(&made->kernelExecTimeoutEnabled, cudaDevAttrKernelExecTimeout, device);
  cudaDeviceGetAttribute(&made->computeMode, cudaDevAttrComputeMode, device);
  cudaDeviceGetAttribute(&made->singleToDoublePrecisionPerfRatio, cudaDevAttrSingleToDoublePrecisionPerfRatio,
                         device);
  cudaDeviceGetAttribute(&made->maxTexture1DLinear, cudaDevAttrMaxTexture1DLinearWidth, device);
  return cudaSuccess;
}
#define cudaDeviceProp warplens_device_properties
#endif
