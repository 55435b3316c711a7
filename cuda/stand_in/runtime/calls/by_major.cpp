// Functions whose signature or symbol is another one in each major version.
#include "cuda/stand_in/runtime/calls/entry.h"
#include "cuda/stand_in/runtime/calls/properties.h"

using namespace warplens::runtime;

namespace {

#if WARPLENS_CUDART_MAJOR == 12
CUmemLocation location_of(int device) {
  CUmemLocation place{};
  place.type = device == cudaCpuDeviceId ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE;
  place.id = device == cudaCpuDeviceId ? 0 : device;
  return place;
}
#endif

CUmemLocation location_of(const cudaMemLocation& place) {
  CUmemLocation made{};
  made.type = static_cast<CUmemLocationType>(place.type);
  made.id = place.id;
  return made;
}

template <class Place>
cudaError_t prefetch(const void* address, size_t bytes, const Place& place, cudaStream_t stream) {
  return call(
      [&] { return cuMemPrefetchAsync_v2(address_of(address), bytes, location_of(place), 0, stream); });
}

template <class Place>
cudaError_t advise(const void* address, size_t bytes, cudaMemoryAdvise advice, const Place& place) {
  return call([&] {
    return cuMemAdvise_v2(address_of(address), bytes, static_cast<CUmem_advise>(advice), location_of(place));
  });
}

}  // namespace

extern "C" {

#if WARPLENS_CUDART_MAJOR == 12

cudaError_t cudaMemPrefetchAsync(const void* address, size_t bytes, int device, cudaStream_t stream) {
  return prefetch(address, bytes, device, stream);
}
cudaError_t cudaMemPrefetchAsync_v2(const void* address, size_t bytes, cudaMemLocation place, unsigned,
                                    cudaStream_t stream) {
  return prefetch(address, bytes, place, stream);
}
cudaError_t cudaMemAdvise(const void* address, size_t bytes, cudaMemoryAdvise advice, int device) {
  return advise(address, bytes, advice, device);
}
cudaError_t cudaMemAdvise_v2(const void* address, size_t bytes, cudaMemoryAdvise advice,
                             cudaMemLocation place) {
  return advise(address, bytes, advice, place);
}
cudaError_t cudaEventElapsedTime_v2(float* ms, cudaEvent_t begin, cudaEvent_t end) {
  return cudaEventElapsedTime(ms, begin, end);
}
cudaError_t warplens_properties(DeviceProperties*, int) __asm__("cudaGetDeviceProperties_v2");

// Calls that CUDA 13 has removed.
cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
cudaError_t cudaThreadGetLimit(size_t* value, cudaLimit limit) { return cudaDeviceGetLimit(value, limit); }
cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) { return cudaDeviceSetLimit(limit, value); }
cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* config) { return cudaDeviceGetCacheConfig(config); }
cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) { return cudaDeviceSetCacheConfig(config); }
// Every device that is left has doubles.
cudaError_t cudaSetDoubleForDevice(double*) { return cudaSuccess; }
cudaError_t cudaSetDoubleForHost(double*) { return cudaSuccess; }

#else

// The headers that this file sees declare CUDA 12's functions under these names.
cudaError_t warplens_prefetch(const void*, size_t, cudaMemLocation, unsigned,
                              cudaStream_t) __asm__("cudaMemPrefetchAsync");
cudaError_t warplens_advise(const void*, size_t, cudaMemoryAdvise, cudaMemLocation) __asm__("cudaMemAdvise");
cudaError_t warplens_properties(DeviceProperties*, int) __asm__("cudaGetDeviceProperties");

cudaError_t warplens_prefetch(const void* address, size_t bytes, cudaMemLocation place, unsigned,
                              cudaStream_t stream) {
  return prefetch(address, bytes, place, stream);
}
cudaError_t warplens_advise(const void* address, size_t bytes, cudaMemoryAdvise advice,
                            cudaMemLocation place) {
  return advise(address, bytes, advice, place);
}

#endif

cudaError_t warplens_properties(DeviceProperties* properties, int device) {
  return call_without_context([&] { return fill_properties(properties, device); });
}

}  // extern "C"
