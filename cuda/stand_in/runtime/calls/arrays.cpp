// Arrays and mipmapped arrays, and copies of three dimensions, to and from them. A handle of the runtime is
// the driver's.
#include <algorithm>

#include "cuda/stand_in/runtime/calls/copies.h"
#include "cuda/stand_in/runtime/calls/entry.h"
#include "cuda/stand_in/runtime/calls/formats.h"

using namespace warplens::runtime;

namespace {

// The runtime names its handles by types of its own.
CUarray driver_array(cudaArray_const_t array) {
  return reinterpret_cast<CUarray>(const_cast<cudaArray*>(array));
}
CUmipmappedArray driver_mipmap(cudaMipmappedArray_const_t array) {
  return reinterpret_cast<CUmipmappedArray>(const_cast<cudaMipmappedArray*>(array));
}

CUresult descriptor_of(cudaArray_const_t array, CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
  return cuArray3DGetDescriptor(&descriptor, driver_array(array));
}

cudaError_t describe(const cudaChannelFormatDesc* channels, const cudaExtent& extent, unsigned flags,
                     CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
  if (channels == nullptr) return cudaErrorInvalidValue;
  const DriverFormat format = format_of(*channels);
  if (format.channels == 0) return cudaErrorInvalidChannelDescriptor;
  // The numbers of the flags are the driver's (driver_types.h).
  descriptor = {extent.width, extent.height, extent.depth, format.format, format.channels, flags};
  return cudaSuccess;
}

cudaError_t make_array(cudaArray_t* made, const cudaChannelFormatDesc* channels, const cudaExtent& extent,
                       unsigned flags) {
  return call([&]() -> cudaError_t {
    CUDA_ARRAY3D_DESCRIPTOR descriptor{};
    if (made == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t error = describe(channels, extent, flags, descriptor); error != cudaSuccess)
      return error;
    return code_of(cuArray3DCreate(reinterpret_cast<CUarray*>(made), &descriptor));
  });
}

size_t element_bytes_of(cudaArray_const_t array) {
  CUDA_ARRAY3D_DESCRIPTOR descriptor{};
  if (descriptor_of(array, descriptor) != CUDA_SUCCESS) return 0;
  return element_bytes({descriptor.Format, descriptor.NumChannels});
}

// One end of a copy of three dimensions. Positions of arrays are in elements, those of memory in bytes.
struct End {
  cudaArray_const_t array = nullptr;
  cudaPitchedPtr pointer{};
  cudaPos at{};
};

cudaError_t describe_box(const End& to, const End& from, const cudaExtent& extent, cudaMemcpyKind kind,
                         CUDA_MEMCPY3D& copy) {
  if (!is_direction(kind)) return cudaErrorInvalidMemcpyDirection;
  size_t element = 1;
  for (const End* end : {&to, &from}) {
    if (end->array == nullptr) continue;
    element = element_bytes_of(end->array);
    if (element == 0) return cudaErrorInvalidResourceHandle;
  }
  copy = {};
  cudaError_t error = cudaSuccess;
  if (from.array == nullptr) {
    error = set_source(copy, kind, from.pointer.ptr, from.pointer.pitch);
  } else {
    copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.srcArray = driver_array(from.array);
  }
  if (to.array != nullptr) {
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = driver_array(to.array);
  } else if (error == cudaSuccess) {
    error = set_target(copy, kind, to.pointer.ptr, to.pointer.pitch);
  }
  if (error != cudaSuccess) return error;
  copy.srcHeight = from.pointer.ysize;
  copy.srcXInBytes = from.at.x * (from.array != nullptr ? element : 1);
  copy.srcY = from.at.y;
  copy.srcZ = from.at.z;
  copy.dstHeight = to.pointer.ysize;
  copy.dstXInBytes = to.at.x * (to.array != nullptr ? element : 1);
  copy.dstY = to.at.y;
  copy.dstZ = to.at.z;
  // The width is in elements where an array is an end, else in bytes (cudaMemcpy3DParms).
  copy.WidthInBytes = extent.width * element;
  copy.Height = extent.height;
  copy.Depth = extent.depth;
  return cudaSuccess;
}

cudaError_t copy_box(const End& to, const End& from, const cudaExtent& extent, cudaMemcpyKind kind,
                     const When& when) {
  if (!is_direction(kind)) return cudaErrorInvalidMemcpyDirection;
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return cudaSuccess;
  CUDA_MEMCPY3D copy{};
  if (const cudaError_t error = describe_box(to, from, extent, kind, copy); error != cudaSuccess)
    return error;
  return code_of(when.waits ? waiting(cuMemcpy3D, cuMemcpy3D_v2_ptds)(&copy)
                            : cuMemcpy3DAsync(&copy, when.stream));
}

cudaError_t copy_3d(const cudaMemcpy3DParms* p, const When& when) {
  return call([&]() -> cudaError_t {
    if (p == nullptr) return cudaErrorInvalidValue;
    return copy_box({p->dstArray, p->dstPtr, p->dstPos}, {p->srcArray, p->srcPtr, p->srcPos}, p->extent,
                    p->kind, when);
  });
}

cudaError_t copy_3d_peer(const cudaMemcpy3DPeerParms* p, const When& when) {
  return call([&]() -> cudaError_t {
    if (p == nullptr) return cudaErrorInvalidValue;
    if (!is_device(p->dstDevice) || !is_device(p->srcDevice)) return cudaErrorInvalidDevice;
    return copy_box({p->dstArray, p->dstPtr, p->dstPos}, {p->srcArray, p->srcPtr, p->srcPos}, p->extent,
                    cudaMemcpyDeviceToDevice, when);
  });
}

// Rows of bytes in an array: offsets and widths of these calls are in bytes.
struct ArrayRows {
  cudaArray_const_t array = nullptr;
  size_t x_bytes = 0, y = 0;
};
struct PointerRows {
  const void* pointer = nullptr;
  size_t pitch = 0;
};

CUDA_MEMCPY2D rows_of(size_t width, size_t height) {
  CUDA_MEMCPY2D copy{};
  copy.WidthInBytes = width;
  copy.Height = height;
  return copy;
}

void from_array(CUDA_MEMCPY2D& copy, const ArrayRows& rows) {
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.srcArray = driver_array(rows.array);
  copy.srcXInBytes = rows.x_bytes;
  copy.srcY = rows.y;
}

void to_array(CUDA_MEMCPY2D& copy, const ArrayRows& rows) {
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = driver_array(rows.array);
  copy.dstXInBytes = rows.x_bytes;
  copy.dstY = rows.y;
}

cudaError_t rows_to_array(const ArrayRows& to, const PointerRows& from, size_t width, size_t height,
                          cudaMemcpyKind kind, const When& when) {
  return call([&]() -> cudaError_t {
    if (!is_direction(kind)) return cudaErrorInvalidMemcpyDirection;
    CUDA_MEMCPY2D copy = rows_of(width, height);
    to_array(copy, to);
    if (const cudaError_t error = set_source(copy, kind, from.pointer, from.pitch); error != cudaSuccess)
      return error;
    return code_of(carry_out(copy, when));
  });
}

cudaError_t rows_from_array(void* to, size_t pitch, const ArrayRows& from, size_t width, size_t height,
                            cudaMemcpyKind kind, const When& when) {
  return call([&]() -> cudaError_t {
    if (!is_direction(kind)) return cudaErrorInvalidMemcpyDirection;
    CUDA_MEMCPY2D copy = rows_of(width, height);
    from_array(copy, from);
    if (const cudaError_t error = set_target(copy, kind, to, pitch); error != cudaSuccess) return error;
    return code_of(carry_out(copy, when));
  });
}

cudaError_t array_to_array(const ArrayRows& to, const ArrayRows& from, size_t width, size_t height) {
  return call([&]() -> cudaError_t {
    CUDA_MEMCPY2D copy = rows_of(width, height);
    from_array(copy, from);
    to_array(copy, to);
    return code_of(carry_out(copy, {}));
  });
}

// The older calls copy bytes that go on in the next row where one ends: the rest of a row, whole rows, part
// of a row.
struct RowRun {
  size_t x = 0, y = 0, offset = 0, width = 0, height = 1;
};

// f(const RowRun&) → cudaError_t, for each piece of `bytes` bytes that begin at byte x of row y.
template <class F>
cudaError_t each_piece(cudaArray_const_t array, size_t x, size_t y, size_t bytes, F f) {
  CUDA_ARRAY3D_DESCRIPTOR descriptor{};
  const cudaError_t known = call([&] { return descriptor_of(array, descriptor); });
  if (known != cudaSuccess) return known;
  const size_t row = descriptor.Width * element_bytes({descriptor.Format, descriptor.NumChannels});
  for (size_t done = 0; done < bytes;) {
    RowRun piece{x, y, done, std::min(bytes - done, row - std::min(x, row)), 1};
    if (x == 0 && bytes - done >= row) piece.height = (bytes - done) / row;
    if (piece.width == 0) return call([] { return cudaErrorInvalidValue; });
    if (const cudaError_t error = f(piece); error != cudaSuccess) return error;
    done += piece.width * piece.height;
    y += piece.height;
    x = 0;
  }
  return cudaSuccess;
}

cudaMemcpyKind kind_of(CUmemorytype from, CUmemorytype to) {
  if (from == CU_MEMORYTYPE_UNIFIED || to == CU_MEMORYTYPE_UNIFIED) return cudaMemcpyDefault;
  if (from == CU_MEMORYTYPE_HOST)
    return to == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
  return to == CU_MEMORYTYPE_HOST ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

}  // namespace

namespace warplens::runtime {

cudaError_t to_driver(const cudaMemcpy3DParms& p, CUDA_MEMCPY3D& copy) {
  return describe_box({p.dstArray, p.dstPtr, p.dstPos}, {p.srcArray, p.srcPtr, p.srcPos}, p.extent, p.kind,
                      copy);
}

cudaMemcpy3DParms to_runtime(const CUDA_MEMCPY3D& copy) {
  const auto pointer = [](CUmemorytype type, const void* host, CUdeviceptr address) {
    return type == CU_MEMORYTYPE_HOST ? const_cast<void*>(host) : reinterpret_cast<void*>(address);
  };
  const bool from_array = copy.srcMemoryType == CU_MEMORYTYPE_ARRAY,
             to_array = copy.dstMemoryType == CU_MEMORYTYPE_ARRAY;
  cudaMemcpy3DParms p{};
  size_t element = 1;
  if (from_array) {
    p.srcArray = reinterpret_cast<cudaArray_t>(copy.srcArray);
    element = std::max<size_t>(1, element_bytes_of(p.srcArray));
  } else {
    p.srcPtr = {pointer(copy.srcMemoryType, copy.srcHost, copy.srcDevice), copy.srcPitch, copy.WidthInBytes,
                copy.srcHeight};
  }
  if (to_array) {
    p.dstArray = reinterpret_cast<cudaArray_t>(copy.dstArray);
    element = std::max<size_t>(1, element_bytes_of(p.dstArray));
  } else {
    p.dstPtr = {pointer(copy.dstMemoryType, copy.dstHost, copy.dstDevice), copy.dstPitch, copy.WidthInBytes,
                copy.dstHeight};
  }
  p.srcPos = {copy.srcXInBytes / (from_array ? element : 1), copy.srcY, copy.srcZ};
  p.dstPos = {copy.dstXInBytes / (to_array ? element : 1), copy.dstY, copy.dstZ};
  p.extent = {copy.WidthInBytes / element, copy.Height, copy.Depth};
  p.kind = kind_of(copy.srcMemoryType, copy.dstMemoryType);
  return p;
}

}  // namespace warplens::runtime

extern "C" {

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

cudaError_t cudaMallocArray(cudaArray_t* made, const cudaChannelFormatDesc* channels, size_t width,
                            size_t height, unsigned flags) {
  return make_array(made, channels, {width, height, 0}, flags);
}

cudaError_t cudaMalloc3DArray(cudaArray_t* made, const cudaChannelFormatDesc* channels, cudaExtent extent,
                              unsigned flags) {
  return make_array(made, channels, extent, flags);
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  return call([&] { return array == nullptr ? CUDA_SUCCESS : cuArrayDestroy(driver_array(array)); });
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* made, const cudaChannelFormatDesc* channels,
                                     cudaExtent extent, unsigned levels, unsigned flags) {
  return call([&]() -> cudaError_t {
    CUDA_ARRAY3D_DESCRIPTOR descriptor{};
    if (made == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t error = describe(channels, extent, flags, descriptor); error != cudaSuccess)
      return error;
    return code_of(cuMipmappedArrayCreate(reinterpret_cast<CUmipmappedArray*>(made), &descriptor, levels));
  });
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* made, cudaMipmappedArray_const_t array, unsigned level) {
  return call([&] {
    return cuMipmappedArrayGetLevel(reinterpret_cast<CUarray*>(made), driver_mipmap(array), level);
  });
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
  return call(
      [&] { return array == nullptr ? CUDA_SUCCESS : cuMipmappedArrayDestroy(driver_mipmap(array)); });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* channels, cudaExtent* extent, unsigned* flags,
                             cudaArray_t array) {
  return call([&]() -> cudaError_t {
    CUDA_ARRAY3D_DESCRIPTOR descriptor{};
    if (const CUresult error = descriptor_of(array, descriptor); error != CUDA_SUCCESS) return code_of(error);
    if (channels != nullptr) *channels = channels_of({descriptor.Format, descriptor.NumChannels});
    if (extent != nullptr) *extent = {descriptor.Width, descriptor.Height, descriptor.Depth};
    if (flags != nullptr) *flags = descriptor.Flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* channels, cudaArray_const_t array) {
  return cudaArrayGetInfo(channels, nullptr, nullptr, const_cast<cudaArray_t>(array));
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) { return copy_3d(p, {}); }
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) {
  return copy_3d(p, {false, stream});
}
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* p) { return copy_3d_peer(p, {}); }
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* p, cudaStream_t stream) {
  return copy_3d_peer(p, {false, stream});
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
  return rows_to_array({to, x, y}, {from, pitch}, width, height, kind, {});
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return rows_to_array({to, x, y}, {from, pitch}, width, height, kind, {false, stream});
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                  size_t width, size_t height, cudaMemcpyKind kind) {
  return rows_from_array(to, pitch, {from, x, y}, width, height, kind, {});
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                       size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return rows_from_array(to, pitch, {from, x, y}, width, height, kind, {false, stream});
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                     size_t from_x, size_t from_y, size_t width, size_t height,
                                     cudaMemcpyKind) {
  return array_to_array({to, to_x, to_y}, {from, from_x, from_y}, width, height);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind) {
  return each_piece(to, x, y, bytes, [&](const RowRun& piece) {
    return rows_to_array({to, piece.x, piece.y}, {static_cast<const char*>(from) + piece.offset, piece.width},
                         piece.width, piece.height, kind, {});
  });
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t stream) {
  return each_piece(to, x, y, bytes, [&](const RowRun& piece) {
    return rows_to_array({to, piece.x, piece.y}, {static_cast<const char*>(from) + piece.offset, piece.width},
                         piece.width, piece.height, kind, {false, stream});
  });
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
  return each_piece(from, x, y, bytes, [&](const RowRun& piece) {
    return rows_from_array(static_cast<char*>(to) + piece.offset, piece.width, {from, piece.x, piece.y},
                           piece.width, piece.height, kind, {});
  });
}
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return each_piece(from, x, y, bytes, [&](const RowRun& piece) {
    return rows_from_array(static_cast<char*>(to) + piece.offset, piece.width, {from, piece.x, piece.y},
                           piece.width, piece.height, kind, {false, stream});
  });
}
// From a row to a row: where both wrap, the pieces would differ.
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                   size_t from_x, size_t from_y, size_t bytes, cudaMemcpyKind) {
  return array_to_array({to, to_x, to_y}, {from, from_x, from_y}, bytes, 1);
}

}  // extern "C"
