// Copies of plain ranges and rows, copies to and from variables, and memset.
#include "cuda/stand_in/runtime/calls/copies.h"

#include <cstring>
#include <string>

#include "cuda/stand_in/runtime/calls/entry.h"
#include "cuda/stand_in/runtime/state/notes.h"
#include "cuda/stand_in/runtime/state/registry.h"

using namespace warplens::runtime;

namespace warplens::runtime {

bool is_direction(cudaMemcpyKind kind) { return kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault; }

CUmemorytype side_of_source(cudaMemcpyKind kind) {
  return kind == cudaMemcpyDefault                                        ? CU_MEMORYTYPE_UNIFIED
         : kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice ? CU_MEMORYTYPE_HOST
                                                                          : CU_MEMORYTYPE_DEVICE;
}

CUmemorytype side_of_target(cudaMemcpyKind kind) {
  return kind == cudaMemcpyDefault                                        ? CU_MEMORYTYPE_UNIFIED
         : kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost ? CU_MEMORYTYPE_HOST
                                                                          : CU_MEMORYTYPE_DEVICE;
}

namespace {

// Memory of only the device: managed memory is on both sides.
bool is_on_device(const void* pointer) {
  unsigned kind = 0;
  bool managed = false;
  const CUdeviceptr address = address_of(pointer);
  if (cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) != CUDA_SUCCESS) return false;
  cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address);
  return kind == CU_MEMORYTYPE_DEVICE && !managed;
}

const char* name_of_kind(bool from_device, bool to_device) {
  if (from_device) return to_device ? "cudaMemcpyDeviceToDevice" : "cudaMemcpyDeviceToHost";
  return to_device ? "cudaMemcpyHostToDevice" : "cudaMemcpyHostToHost";
}

// One side is said to be the host's and is the device's.
void tell_of_direction(cudaMemcpyKind kind, bool source, bool from_device, bool to_device) {
  if (warplens_tell == nullptr) return;
  const bool said_from = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  const bool said_to = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const std::string sentence =
      std::string("A copy says ") + name_of_kind(said_from, said_to) + ", but its " +
      (source ? "source" : "target") + " is memory of the device: " +
      (said_from != from_device && said_to != to_device
           ? "the two pointers or the direction are the wrong way round."
           : std::string("say ") + name_of_kind(from_device, to_device) + ", or pass the host's array.");
  warplens_tell("call", cudaErrorInvalidValue, sentence.c_str());
}

}  // namespace

bool is_on_wrong_side(CUmemorytype side, const void* pointer) {
  return side == CU_MEMORYTYPE_HOST && is_on_device(pointer);
}

CUresult carry_out(const CUDA_MEMCPY2D& copy, const When& when) {
  if (copy.WidthInBytes == 0 || copy.Height == 0) return CUDA_SUCCESS;
  return when.waits ? waiting(cuMemcpy2DUnaligned, cuMemcpy2DUnaligned_v2_ptds)(&copy)
                    : cuMemcpy2DAsync(&copy, when.stream);
}

cudaError_t copy_range(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, const When& when) {
  if (!is_direction(kind)) return cudaErrorInvalidMemcpyDirection;
  if (bytes == 0) return cudaSuccess;
  if (to == nullptr || from == nullptr) return cudaErrorInvalidValue;
  const bool wrong_source = is_on_wrong_side(side_of_source(kind), from);
  if (wrong_source || is_on_wrong_side(side_of_target(kind), to)) {
    tell_of_direction(kind, wrong_source, is_on_device(from), is_on_device(to));
    return cudaErrorInvalidValue;
  }
  switch (kind) {
    case cudaMemcpyHostToDevice:
      return code_of(when.waits ? waiting(cuMemcpyHtoD, cuMemcpyHtoD_v2_ptds)(address_of(to), from, bytes)
                                : cuMemcpyHtoDAsync(address_of(to), from, bytes, when.stream));
    case cudaMemcpyDeviceToHost:
      return code_of(when.waits ? waiting(cuMemcpyDtoH, cuMemcpyDtoH_v2_ptds)(to, address_of(from), bytes)
                                : cuMemcpyDtoHAsync(to, address_of(from), bytes, when.stream));
    case cudaMemcpyDeviceToDevice:
      return code_of(
          when.waits ? waiting(cuMemcpyDtoD, cuMemcpyDtoD_v2_ptds)(address_of(to), address_of(from), bytes)
                     : cuMemcpyDtoDAsync(address_of(to), address_of(from), bytes, when.stream));
    default:
      return code_of(when.waits ? waiting(cuMemcpy, cuMemcpy_ptds)(address_of(to), address_of(from), bytes)
                                : cuMemcpyAsync(address_of(to), address_of(from), bytes, when.stream));
  }
}

}  // namespace warplens::runtime

namespace {

struct Rows {
  void* to = nullptr;
  size_t to_pitch = 0;
  const void* from = nullptr;
  size_t from_pitch = 0;
  size_t width = 0, height = 0;
};

cudaError_t copy_rows(const Rows& rows, cudaMemcpyKind kind, const When& when,
                      const char* name = __builtin_FUNCTION()) {
  return call(
      [&]() -> cudaError_t {
        if (!is_direction(kind)) return cudaErrorInvalidMemcpyDirection;
        if (rows.width == 0 || rows.height == 0) return cudaSuccess;
        if (rows.width > rows.to_pitch || rows.width > rows.from_pitch) return cudaErrorInvalidPitchValue;
        CUDA_MEMCPY2D copy{};
        cudaError_t error = set_source(copy, kind, rows.from, rows.from_pitch);
        if (error == cudaSuccess) error = set_target(copy, kind, rows.to, rows.to_pitch);
        if (error != cudaSuccess) return error;
        copy.WidthInBytes = rows.width;
        copy.Height = rows.height;
        return code_of(carry_out(copy, when));
      },
      name);
}

// f(address of the bytes at `offset` of the variable) → cudaError_t.
template <class F>
cudaError_t with_symbol(const void* symbol, size_t bytes, size_t offset, const char* name, F f) {
  return call(
      [&]() -> cudaError_t {
        DeviceVariable variable;
        if (const cudaError_t error = resolve_variable(symbol, variable); error != cudaSuccess) return error;
        if (offset > variable.bytes || bytes > variable.bytes - offset) return cudaErrorInvalidValue;
        return f(reinterpret_cast<void*>(variable.address + offset));
      },
      name);
}

cudaError_t to_symbol(const void* symbol, const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind,
                      const When& when, const char* name = __builtin_FUNCTION()) {
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return call([] { return cudaErrorInvalidMemcpyDirection; }, name);
  return with_symbol(symbol, bytes, offset, name,
                     [&](void* address) { return copy_range(address, from, bytes, kind, when); });
}

cudaError_t from_symbol(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind,
                        const When& when, const char* name = __builtin_FUNCTION()) {
  if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return call([] { return cudaErrorInvalidMemcpyDirection; }, name);
  return with_symbol(symbol, bytes, offset, name,
                     [&](void* address) { return copy_range(to, address, bytes, kind, when); });
}

CUresult fill_rows(void* to, size_t pitch, int value, size_t width, size_t height, const When& when) {
  const auto byte = static_cast<unsigned char>(value);
  if (height > 1 && width > pitch) return CUDA_ERROR_INVALID_VALUE;
  return when.waits ? waiting(cuMemsetD2D8, cuMemsetD2D8_v2_ptds)(address_of(to), pitch, byte, width, height)
                    : cuMemsetD2D8Async(address_of(to), pitch, byte, width, height, when.stream);
}

cudaError_t fill_slices(const cudaPitchedPtr& to, int value, const cudaExtent& extent, const When& when,
                        const char* name = __builtin_FUNCTION()) {
  return call(
      [&]() -> cudaError_t {
        for (size_t z = 0; z < extent.depth; ++z) {
          char* slice = static_cast<char*>(to.ptr) + z * to.pitch * to.ysize;
          if (const CUresult error = fill_rows(slice, to.pitch, value, extent.width, extent.height, when);
              error != CUDA_SUCCESS)
            return code_of(error);
        }
        return cudaSuccess;
      },
      name);
}

// f(the primary contexts of both devices) → CUresult.
template <class F>
cudaError_t copy_between(void* to, int to_device, const void* from, int from_device, size_t bytes, F f,
                         const char* name = __builtin_FUNCTION()) {
  return call(
      [&]() -> cudaError_t {
        if (!is_device(to_device) || !is_device(from_device)) return cudaErrorInvalidDevice;
        if (bytes == 0) return cudaSuccess;
        if (to == nullptr || from == nullptr) return cudaErrorInvalidValue;
        CUcontext target = nullptr, source = nullptr;
        CUresult error = cuDevicePrimaryCtxRetain(&target, to_device);
        if (error == CUDA_SUCCESS) error = cuDevicePrimaryCtxRetain(&source, from_device);
        return code_of(error != CUDA_SUCCESS ? error : f(target, source));
      },
      name);
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return call([&] { return copy_range(to, from, bytes, kind, {}); });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return call([&] { return copy_range(to, from, bytes, kind, {false, stream}); });
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
  return copy_rows({to, to_pitch, from, from_pitch, width, height}, kind, {});
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_rows({to, to_pitch, from, from_pitch, width, height}, kind, {false, stream});
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
  return copy_between(to, to_device, from, from_device, bytes, [&](CUcontext target, CUcontext source) {
    return waiting(cuMemcpyPeer, cuMemcpyPeer_ptds)(address_of(to), target, address_of(from), source, bytes);
  });
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                cudaStream_t stream) {
  return copy_between(to, to_device, from, from_device, bytes, [&](CUcontext target, CUcontext source) {
    return cuMemcpyPeerAsync(address_of(to), target, address_of(from), source, bytes, stream);
  });
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  return to_symbol(symbol, from, bytes, offset, kind, {});
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  return to_symbol(symbol, from, bytes, offset, kind, {false, stream});
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  return from_symbol(to, symbol, bytes, offset, kind, {});
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return from_symbol(to, symbol, bytes, offset, kind, {false, stream});
}

cudaError_t cudaMemset(void* to, int value, size_t bytes) {
  return call([&] {
    return waiting(cuMemsetD8, cuMemsetD8_v2_ptds)(address_of(to), static_cast<unsigned char>(value), bytes);
  });
}

cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
  return call(
      [&] { return cuMemsetD8Async(address_of(to), static_cast<unsigned char>(value), bytes, stream); });
}

cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  return call([&] { return fill_rows(to, pitch, value, width, height, {}); });
}

cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return call([&] { return fill_rows(to, pitch, value, width, height, {false, stream}); });
}

cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
  return fill_slices(to, value, extent, {});
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream) {
  return fill_slices(to, value, extent, {false, stream});
}

}  // extern "C"
