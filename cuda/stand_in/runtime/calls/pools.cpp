// Memory in the order of a stream, and its pools.
#include "cuda/stand_in/runtime/calls/entry.h"

using namespace warplens::runtime;

static_assert(sizeof(cudaMemPoolProps) == sizeof(CUmemPoolProps));
static_assert(sizeof(cudaMemAccessDesc) == sizeof(CUmemAccessDesc));
static_assert(sizeof(cudaMemLocation) == sizeof(CUmemLocation));

extern "C" {

cudaError_t cudaMallocAsync(void** made, size_t bytes, cudaStream_t stream) {
  return call([&]() -> cudaError_t {
    if (made == nullptr) return cudaErrorInvalidValue;
    *made = nullptr;
    return bytes == 0 ? cudaSuccess : code_of(cuMemAllocAsync(address_at(made), bytes, stream));
  });
}

cudaError_t cudaMallocFromPoolAsync(void** made, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return call([&] { return cuMemAllocFromPoolAsync(address_at(made), bytes, pool, stream); });
}

cudaError_t cudaFreeAsync(void* address, cudaStream_t stream) {
  return call([&] { return cuMemFreeAsync(address_of(address), stream); });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return call([&] { return cuDeviceGetDefaultMemPool(pool, device); });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return call([&] { return cuDeviceGetMemPool(pool, device); });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return call([&] { return cuDeviceSetMemPool(device, pool); });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* made, const cudaMemPoolProps* properties) {
  return call([&] { return cuMemPoolCreate(made, reinterpret_cast<const CUmemPoolProps*>(properties)); });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return call([&] { return cuMemPoolDestroy(pool); });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes) {
  return call([&] { return cuMemPoolTrimTo(pool, bytes); });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void* value) {
  return call([&] { return cuMemPoolSetAttribute(pool, static_cast<CUmemPool_attribute>(which), value); });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void* value) {
  return call([&] { return cuMemPoolGetAttribute(pool, static_cast<CUmemPool_attribute>(which), value); });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* rows, size_t count) {
  return call(
      [&] { return cuMemPoolSetAccess(pool, reinterpret_cast<const CUmemAccessDesc*>(rows), count); });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* place) {
  return call([&] {
    return cuMemPoolGetAccess(reinterpret_cast<CUmemAccess_flags*>(flags), pool,
                              reinterpret_cast<CUmemLocation*>(place));
  });
}

}  // extern "C"
