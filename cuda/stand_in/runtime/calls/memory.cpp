// Memory of the device, pinned and mapped memory of the host, and managed memory.
#include <algorithm>

#include "cuda/stand_in/runtime/calls/entry.h"
#include "cuda/stand_in/runtime/state/registry.h"

using namespace warplens::runtime;

namespace {

// f(CUdeviceptr*) → CUresult. Nothing is allocated for 0 bytes, and that is no error.
template <class F>
cudaError_t allocate(void** made, size_t bytes, F f, const char* name = __builtin_FUNCTION()) {
  return call(
      [&]() -> cudaError_t {
        if (made == nullptr) return cudaErrorInvalidValue;
        *made = nullptr;
        return bytes == 0 ? cudaSuccess : code_of(f(address_at(made)));
      },
      name);
}

cudaError_t allocate_host(void** made, size_t bytes, unsigned flags,
                          const char* name = __builtin_FUNCTION()) {
  return call(
      [&]() -> cudaError_t {
        if (made == nullptr) return cudaErrorInvalidValue;
        *made = nullptr;
        return bytes == 0 ? cudaSuccess : code_of(cuMemHostAlloc(made, bytes, flags));
      },
      name);
}

cudaError_t allocate_rows(void** made, size_t* pitch, size_t width, size_t rows,
                          const char* name = __builtin_FUNCTION()) {
  constexpr unsigned element_bytes = 4;
  return call(
      [&]() -> cudaError_t {
        if (made == nullptr || pitch == nullptr) return cudaErrorInvalidValue;
        *made = nullptr;
        *pitch = 0;
        if (width == 0 || rows == 0) return cudaSuccess;
        return code_of(cuMemAllocPitch(address_at(made), pitch, width, rows, element_bytes));
      },
      name);
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** made, size_t bytes) {
  return allocate(made, bytes, [&](CUdeviceptr* address) { return cuMemAlloc(address, bytes); });
}

cudaError_t cudaMallocManaged(void** made, size_t bytes, unsigned flags) {
  return allocate(made, bytes,
                  [&](CUdeviceptr* address) { return cuMemAllocManaged(address, bytes, flags); });
}

cudaError_t cudaMallocPitch(void** made, size_t* pitch, size_t width, size_t height) {
  return allocate_rows(made, pitch, width, height);
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* made, cudaExtent extent) {
  if (made == nullptr) return call([] { return cudaErrorInvalidValue; });
  *made = {nullptr, 0, extent.width, extent.height};
  size_t rows = 0;
  if (__builtin_mul_overflow(extent.height, extent.depth, &rows))
    return call([] { return cudaErrorMemoryAllocation; });
  return allocate_rows(&made->ptr, &made->pitch, extent.width, rows);
}

cudaError_t cudaMallocHost(void** made, size_t bytes) { return allocate_host(made, bytes, 0); }
cudaError_t cudaHostAlloc(void** made, size_t bytes, unsigned flags) {
  return allocate_host(made, bytes, flags);
}

cudaError_t cudaFree(void* address) {
  return call([&]() -> cudaError_t {
    if (address == nullptr) return cudaSuccess;
    return code_of(cuMemFree(address_of(address)));
  });
}

cudaError_t cudaFreeHost(void* address) {
  return call(
      [&]() -> cudaError_t { return address == nullptr ? cudaSuccess : code_of(cuMemFreeHost(address)); });
}

cudaError_t cudaHostRegister(void* host, size_t bytes, unsigned flags) {
  return call([&] { return cuMemHostRegister(host, bytes, flags); });
}

cudaError_t cudaHostUnregister(void* host) {
  return call([&] { return cuMemHostUnregister(host); });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
  return call([&]() -> cudaError_t {
    if (device == nullptr) return cudaErrorInvalidValue;
    return code_of(cuMemHostGetDevicePointer(address_at(device), host, flags));
  });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  return call([&] { return cuMemHostGetFlags(flags, host); });
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total) {
  return call([&] { return cuMemGetInfo(free_bytes, total); });
}

// The numbers of attributes and places are the driver's.
cudaError_t cudaMemRangeGetAttribute(void* to, size_t bytes, cudaMemRangeAttribute attribute,
                                     const void* address, size_t range_bytes) {
  return call([&] {
    return cuMemRangeGetAttribute(to, bytes, static_cast<CUmem_range_attribute>(attribute),
                                  address_of(address), range_bytes);
  });
}
cudaError_t cudaMemRangeGetAttributes(void** to, size_t* bytes, cudaMemRangeAttribute* attributes,
                                      size_t count, const void* address, size_t range_bytes) {
  return call([&] {
    return cuMemRangeGetAttributes(to, bytes, reinterpret_cast<CUmem_range_attribute*>(attributes), count,
                                   address_of(address), range_bytes);
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return call([&]() -> cudaError_t {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    *attributes = {};
    attributes->device = cudaInvalidDeviceId;
    attributes->hostPointer = const_cast<void*>(pointer);
    unsigned kind = 0;
    const CUdeviceptr address = address_of(pointer);
    if (cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) != CUDA_SUCCESS || kind == 0)
      return cudaSuccess;  // memory that CUDA does not know: cudaMemoryTypeUnregistered
    bool managed = false;
    cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address);
    attributes->type = managed                      ? cudaMemoryTypeManaged
                       : kind == CU_MEMORYTYPE_HOST ? cudaMemoryTypeHost
                                                    : cudaMemoryTypeDevice;
    cuPointerGetAttribute(&attributes->device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address);
    attributes->devicePointer = const_cast<void*>(pointer);
    if (attributes->type == cudaMemoryTypeDevice) attributes->hostPointer = nullptr;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* address, size_t bytes, unsigned flags) {
  return call([&] { return cuStreamAttachMemAsync(stream, address_of(address), bytes, flags); });
}

cudaError_t cudaGetSymbolAddress(void** address, const void* symbol) {
  return call([&]() -> cudaError_t {
    if (address == nullptr) return cudaErrorInvalidValue;
    DeviceVariable variable;
    const cudaError_t error = resolve_variable(symbol, variable);
    if (error == cudaSuccess) *address = reinterpret_cast<void*>(variable.address);
    return error;
  });
}

cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  return call([&]() -> cudaError_t {
    if (bytes == nullptr) return cudaErrorInvalidValue;
    DeviceVariable variable;
    const cudaError_t error = resolve_variable(symbol, variable);
    if (error == cudaSuccess) *bytes = variable.bytes;
    return error;
  });
}

}  // extern "C"
