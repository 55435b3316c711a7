// Arrays of texels, mipmapped ones too, and copies of two and three dimensions.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

#include "cuda/stand_in/driver/calls/arrays.h"
#include "cuda/stand_in/driver/calls/blocks.h"
#include "cuda/stand_in/driver/calls/capture.h"
#include "cuda/stand_in/driver/calls/entry.h"
#include "cuda/stand_in/driver/calls/written.h"
#include "cuda/stand_in/driver/state/host_place.h"
#include "cuda/stand_in/driver/state/order.h"

using namespace warplens::driver;
using warplens::TextureSpec;
using warplens::recording::Direction;

namespace warplens::driver {

DType dtype_of(CUarray_format format, CUresult& error) {
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
      return DType::u8;
    case CU_AD_FORMAT_UNSIGNED_INT16:
      return DType::u16;
    case CU_AD_FORMAT_UNSIGNED_INT32:
      return DType::u32;
    case CU_AD_FORMAT_SIGNED_INT8:
      return DType::i8;
    case CU_AD_FORMAT_SIGNED_INT16:
      return DType::i16;
    case CU_AD_FORMAT_SIGNED_INT32:
      return DType::i32;
    case CU_AD_FORMAT_HALF:
      return DType::f16;
    case CU_AD_FORMAT_FLOAT:
      return DType::f32;
    default:
      // The formats of compressed blocks and of video have numbers of their own; others there are not.
      error = format >= CU_AD_FORMAT_NV12 ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
      return DType::f32;
  }
}

TextureSpec spec_of(const CUDA_ARRAY3D_DESCRIPTOR& d, uint32_t levels, CUresult& error) {
  TextureSpec spec;
  error = CUDA_SUCCESS;
  constexpr size_t most = 1 << 17;
  if (d.Width == 0 || d.Width > most || d.Height > most || d.Depth > most) error = CUDA_ERROR_INVALID_VALUE;
  if (d.NumChannels != 1 && d.NumChannels != 2 && d.NumChannels != 4) error = CUDA_ERROR_INVALID_VALUE;
  const bool layered = (d.Flags & CUDA_ARRAY3D_LAYERED) != 0, cube = (d.Flags & CUDA_ARRAY3D_CUBEMAP) != 0;
  // A box has all three extents, layers have a number, and the faces of a cube are six squares (cuda.h).
  if (d.Depth != 0 && d.Height == 0 && !layered) error = CUDA_ERROR_INVALID_VALUE;
  if (layered && d.Depth == 0) error = CUDA_ERROR_INVALID_VALUE;
  if (cube && (d.Width != d.Height || d.Depth == 0 || d.Depth % 6 != 0 || (!layered && d.Depth != 6)))
    error = CUDA_ERROR_INVALID_VALUE;
  if (error != CUDA_SUCCESS) return spec;
  spec.shape = cube && layered       ? TextureShape::layers_of_cubes
               : cube                ? TextureShape::cube
               : layered && d.Height ? TextureShape::layers_of_two
               : layered             ? TextureShape::layers_of_one
               : d.Depth != 0        ? TextureShape::three
               : d.Height != 0       ? TextureShape::two
                                     : TextureShape::one;
  spec.type = dtype_of(d.Format, error);
  spec.channels = d.NumChannels;
  spec.width = static_cast<uint32_t>(d.Width);
  spec.height = static_cast<uint32_t>(std::max<size_t>(1, d.Height));
  spec.depth = static_cast<uint32_t>(std::max<size_t>(1, d.Depth));
  spec.levels = levels;
  return spec;
}

}  // namespace warplens::driver

namespace {

CUresult create(Gpu& device, Context& context, CUDA_ARRAY3D_DESCRIPTOR descriptor, uint32_t levels,
                Array*& made) {
  CUresult error = CUDA_SUCCESS;
  auto array = std::make_unique<Array>();
  array->spec = spec_of(descriptor, levels, error);
  if (error != CUDA_SUCCESS) return error;
  array->context = &context;
  array->descriptor = descriptor;
  array->bytes = array->spec.bytes();
  if (array->bytes > context.on->total_bytes()) return CUDA_ERROR_OUT_OF_MEMORY;
  // A few bytes more, as memory of the device has.
  array->texels = {static_cast<std::byte*>(std::calloc(array->bytes + 64, 1)), std::free};
  if (array->texels == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
  array->begin = array->texels.get();
  made = device.arrays.add(std::move(array));
  return CUDA_SUCCESS;
}

// One side of a copy of boxes: where its first byte is, and how far rows and layers are from each other.
struct Side {
  std::byte* at = nullptr;
  uint64_t pitch = 0, layer = 0;
  uint64_t device_address = 0;
  bool on_device = false;
};

// Of the first byte; 0 in a CUDA array.
uint64_t address_of(const Side& side) {
  if (side.device_address != 0) return side.device_address;
  return side.on_device ? 0 : reinterpret_cast<uintptr_t>(side.at);
}

constexpr size_t most_pitch = 2147483647;

struct SideDescription {
  CUmemorytype type;
  const void* host;
  CUdeviceptr device;
  CUarray array;
  size_t x, y, z, pitch, height;
};

CUresult side_of(Gpu& device, SideDescription d, size_t width, size_t height, size_t depth, Side& side,
                 const char* call) {
  if (d.type == CU_MEMORYTYPE_ARRAY) {
    const Array* array = device.arrays.find(d.array);
    if (array == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const TextureSpec& spec = array->spec;
    side.pitch = spec.row_bytes(0);
    side.layer = side.pitch * spec.height;
    const bool fits = d.x <= side.pitch && width <= side.pitch - d.x && d.y <= spec.height &&
                      height <= spec.height - d.y && d.z <= spec.depth && depth <= spec.depth - d.z;
    if (!fits) return CUDA_ERROR_INVALID_VALUE;
    side.at = array->begin + d.z * side.layer + d.y * side.pitch + d.x;
    side.on_device = true;
    return CUDA_SUCCESS;
  }
  // So that no product below overflows. Rows are at most CU_DEVICE_ATTRIBUTE_MAX_PITCH apart.
  for (const size_t size : {d.x, width, d.pitch}) {
    if (size > most_pitch) return CUDA_ERROR_INVALID_VALUE;
  }
  for (const size_t size : {d.y, d.z, d.height, height, depth}) {
    if (size > most_pitch) return CUDA_ERROR_INVALID_VALUE;
  }
  uint64_t lines = 0, end = 0;
  if (__builtin_mul_overflow(uint64_t{d.z} + depth, std::max<uint64_t>(d.height, d.y + height), &lines) ||
      __builtin_mul_overflow(lines, std::max<uint64_t>(d.pitch, d.x + width), &end) || end >> 63 != 0)
    return CUDA_ERROR_INVALID_VALUE;
  side.pitch = d.pitch == 0 ? d.x + width : d.pitch;
  side.layer = side.pitch * (d.height == 0 ? d.y + height : d.height);
  const bool is_row = d.height == 0 && height <= 1 && depth <= 1;
  const bool fits = (is_row || side.pitch >= d.x + width) && (d.height == 0 || d.height >= d.y + height);
  if (!fits) return CUDA_ERROR_INVALID_VALUE;
  const uint64_t offset = d.z * side.layer + d.y * side.pitch + d.x;
  if (d.type == CU_MEMORYTYPE_UNIFIED)
    d.type = device.block_of(d.device) != nullptr ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
  else if (d.type == CU_MEMORYTYPE_HOST)
    d.device = reinterpret_cast<uintptr_t>(d.host);
  if (d.type == CU_MEMORYTYPE_HOST) {
    if (d.device == 0) return CUDA_ERROR_INVALID_VALUE;
    side.at = reinterpret_cast<std::byte*>(d.device + offset);
    return CUDA_SUCCESS;
  }
  if (d.type != CU_MEMORYTYPE_DEVICE) return CUDA_ERROR_INVALID_VALUE;
  const uint64_t all = (depth - 1) * side.layer + (height - 1) * side.pitch + width;
  side.at = range_at(device, d.device + offset, all, call);
  side.device_address = d.device + offset;
  side.on_device = true;
  return side.at == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUDA_MEMCPY3D box_copy(const SideDescription& from, const SideDescription& to, size_t width, size_t height,
                       size_t depth) {
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = from.type;
  copy.srcHost = from.host;
  copy.srcDevice = from.device;
  copy.srcArray = from.array;
  copy.srcXInBytes = from.x;
  copy.srcY = from.y;
  copy.srcZ = from.z;
  copy.srcPitch = from.pitch;
  copy.srcHeight = from.height;
  copy.dstMemoryType = to.type;
  copy.dstHost = const_cast<void*>(to.host);
  copy.dstDevice = to.device;
  copy.dstArray = to.array;
  copy.dstXInBytes = to.x;
  copy.dstY = to.y;
  copy.dstZ = to.z;
  copy.dstPitch = to.pitch;
  copy.dstHeight = to.height;
  copy.WidthInBytes = width;
  copy.Height = height;
  copy.Depth = depth;
  return copy;
}

CUresult copy_box(const SideDescription& from, const SideDescription& to, size_t width, size_t height,
                  size_t depth, CUstream handle, bool waits) {
  const HostCall here;
  return with_context(waits ? Waits::yes : Waits::gives_work, [&](Gpu& device, Context& context) -> CUresult {
    if (width == 0 || height == 0 || depth == 0) return CUDA_SUCCESS;
    CUresult error = CUDA_SUCCESS;
    Stream* stream = stream_of(device, context, handle, error, waits ? Waits::yes : Waits::gives_node);
    if (error == CUDA_SUCCESS && is_captured(stream))
      return capture_node(
          device, *stream,
          CopyNode{box_copy(from, to, width, height, depth), reinterpret_cast<CUcontext>(&context)});
    Side source, target;
    if (error == CUDA_SUCCESS)
      error = side_of(device, from, width, height, depth, source, "A copy of rows, from memory");
    if (error == CUDA_SUCCESS)
      error = side_of(device, to, width, height, depth, target, "A copy of rows, to memory");
    if (error == CUDA_SUCCESS && target.device_address != 0)
      error = may_write(device, target.device_address,
                        (depth - 1) * target.layer + (height - 1) * target.pitch + width, "A copy to");
    if (error != CUDA_SUCCESS) return error;
    const Direction direction = source.on_device && target.on_device
                                    ? direction_between(device, address_of(target), address_of(source))
                                : target.on_device ? Direction::to_device
                                : source.on_device ? Direction::from_device
                                                   : Direction::on_host;
    const OrderedCopy copy{
        .direction = direction,
        .to = {.address = address_of(target), .pitch = target.pitch, .layer = target.layer},
        .from = {.address = address_of(source), .pitch = source.pitch, .layer = source.layer},
        .width = width,
        .rows = height,
        .layers = depth,
        .async = !waits};
    const bool is_staged = !waits && direction == Direction::to_device;
    const auto kept = is_staged ? staged(device, source.at,
                                         (depth - 1) * source.layer + (height - 1) * source.pitch + width)
                                : nullptr;
    if (kept != nullptr) source.at = const_cast<std::byte*>(kept->data());
    return copy_in_stream_order(device, context, stream, copy, [=, kept = kept](Gpu& locked) {
      for (size_t z = 0; z < depth; ++z) {
        for (size_t y = 0; y < height; ++y) {
          std::memmove(target.at + z * target.layer + y * target.pitch,
                       source.at + z * source.layer + y * source.pitch, width);
          if (target.device_address != 0)
            note_written(locked, target.device_address + z * target.layer + y * target.pitch, width);
        }
      }
      if (direction == Direction::from_device && source.device_address != 0 && depth == 1)
        note_copied_back(locked, source.device_address, width, height, source.pitch);
      note_copy(locked, stream, direction, width * height * depth,
                target.device_address != 0 ? target.device_address : source.device_address,
                waits && direction != Direction::on_device && direction != Direction::between_devices,
                nullptr, source.device_address);
      return CUDA_SUCCESS;
    });
  });
}

CUresult copy_2d(const CUDA_MEMCPY2D* c, CUstream stream, bool waits) {
  if (c == nullptr) return invalid_argument();
  return copy_box(
      {c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcXInBytes, c->srcY, 0, c->srcPitch, 0},
      {c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstXInBytes, c->dstY, 0, c->dstPitch, 0},
      c->WidthInBytes, c->Height, 1, stream, waits);
}

template <class Copy>
CUresult copy_3d(const Copy* c, CUstream stream, bool waits) {
  if (c == nullptr) return invalid_argument();
  return copy_box({c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcXInBytes, c->srcY, c->srcZ,
                   c->srcPitch, c->srcHeight},
                  {c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstXInBytes, c->dstY, c->dstZ,
                   c->dstPitch, c->dstHeight},
                  c->WidthInBytes, c->Height, c->Depth, stream, waits);
}

// Bytes in a row of an array, which may go on in the next rows.
CUresult copy_line(CUarray array, size_t offset, CUmemorytype type, void* host, CUdeviceptr address,
                   size_t bytes, bool to_array, CUstream stream, bool waits) {
  const HostCall here;
  return with_context(waits ? Waits::yes : Waits::gives_work, [&](Gpu& device, Context& context) -> CUresult {
    CUresult error = CUDA_SUCCESS;
    if (bytes == 0 && array == nullptr) return CUDA_SUCCESS;
    Stream* of = stream_of(device, context, stream, error, waits ? Waits::yes : Waits::gives_node);
    const Array* found = device.arrays.find(array);
    if (error != CUDA_SUCCESS || found == nullptr)
      return error != CUDA_SUCCESS ? error : CUDA_ERROR_INVALID_HANDLE;
    const uint64_t size = found->spec.level_bytes(0);
    if (bytes == 0) return offset > size ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    if (offset > size || bytes > size - offset) return CUDA_ERROR_INVALID_VALUE;
    const bool on_host = type == CU_MEMORYTYPE_HOST;
    if (is_captured(of)) {
      const SideDescription own{CU_MEMORYTYPE_ARRAY, nullptr, 0, array, offset, 0, 0, 0, 0};
      const SideDescription other{type, host, address, nullptr, 0, 0, 0, 0, 0};
      return capture_node(
          device, *of,
          CopyNode{to_array ? box_copy(other, own, bytes, 1, 1) : box_copy(own, other, bytes, 1, 1),
                   reinterpret_cast<CUcontext>(&context)});
    }
    std::byte* other =
        on_host ? static_cast<std::byte*>(host) : range_at(device, address, bytes, "A copy of an array");
    if (other == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!to_array && !on_host) error = may_write(device, address, bytes, "A copy to");
    if (error != CUDA_SUCCESS) return error;
    std::byte* own = found->begin + offset;
    const Direction direction = !on_host   ? Direction::on_device
                                : to_array ? Direction::to_device
                                           : Direction::from_device;
    const CopyRows rows{.address = on_host ? reinterpret_cast<uintptr_t>(host) : address};
    const OrderedCopy copy{.direction = direction,
                           .to = to_array ? CopyRows{} : rows,
                           .from = to_array ? rows : CopyRows{},
                           .width = bytes,
                           .async = !waits};
    const auto kept = !waits && direction == Direction::to_device ? staged(device, other, bytes) : nullptr;
    if (kept != nullptr) other = const_cast<std::byte*>(kept->data());
    return copy_in_stream_order(device, context, of, copy, [=, kept = kept](Gpu& locked) {
      std::memmove(to_array ? own : other, to_array ? other : own, bytes);
      if (!to_array && !on_host) note_written(locked, address, bytes);
      note_copy(locked, of, direction, bytes, address, waits && on_host);
      return CUDA_SUCCESS;
    });
  });
}

void* writable(const void* pointer) { return const_cast<void*>(pointer); }

template <class F>
CUresult with_array(CUarray handle, F f) {
  const auto of = [&](Gpu& device) -> Context* {
    const Array* array = device.arrays.find(handle);
    return array == nullptr ? nullptr : array->context;
  };
  return with_context_of(Waits::no, of, [&](Gpu& device, Context&) -> CUresult {
    Array* array = device.arrays.find(handle);
    return array == nullptr ? CUDA_ERROR_INVALID_HANDLE : f(device, *array);
  });
}

}  // namespace

extern "C" {

CUresult cuArray3DCreate_v2(CUarray* made, const CUDA_ARRAY3D_DESCRIPTOR* descriptor) {
  if (made == nullptr || descriptor == nullptr) return invalid_argument();
  return with_context(Waits::no, [&](Gpu& device, Context& context) {
    Array* array = nullptr;
    const CUresult error = create(device, context, *descriptor, 1, array);
    if (error == CUDA_SUCCESS) *made = reinterpret_cast<CUarray>(array);
    return error;
  });
}

CUresult cuArrayCreate_v2(CUarray* made, const CUDA_ARRAY_DESCRIPTOR* d) {
  if (d == nullptr) return invalid_argument();
  const CUDA_ARRAY3D_DESCRIPTOR descriptor{d->Width, d->Height, 0, d->Format, d->NumChannels, 0};
  return cuArray3DCreate_v2(made, &descriptor);
}

CUresult cuArrayDestroy(CUarray handle) {
  if (handle == nullptr) return invalid_handle();
  perform_all_deferred();
  return with_array(handle, [&](Gpu& device, Array&) {
    device.arrays.take(handle);
    return CUDA_SUCCESS;
  });
}

CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR* descriptor, CUarray handle) {
  if (handle == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (descriptor == nullptr) return invalid_value();
  return with_array(handle, [&](Gpu&, Array& array) {
    *descriptor = array.descriptor;
    return CUDA_SUCCESS;
  });
}

CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR* descriptor, CUarray handle) {
  if (handle == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (descriptor == nullptr) return invalid_value();
  return with_array(handle, [&](Gpu&, Array& array) {
    *descriptor = {array.descriptor.Width, array.descriptor.Height, array.descriptor.Format,
                   array.descriptor.NumChannels};
    return CUDA_SUCCESS;
  });
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray* made, const CUDA_ARRAY3D_DESCRIPTOR* descriptor,
                                unsigned levels) {
  if (made == nullptr || descriptor == nullptr) return invalid_argument();
  return with_context(Waits::no, [&](Gpu& device, Context& context) {
    Array* array = nullptr;
    // As many as there can be, and at least one (cuda.h).
    const size_t longest = std::min<size_t>(
        std::max({size_t{1}, descriptor->Width, descriptor->Height,
                  (descriptor->Flags & CUDA_ARRAY3D_LAYERED) != 0 ? size_t{1} : descriptor->Depth}),
        UINT32_MAX);
    levels = std::clamp(levels, 1u, static_cast<unsigned>(std::bit_width(longest)));
    const CUresult error = create(device, context, *descriptor, levels, array);
    if (error != CUDA_SUCCESS) return error;
    std::byte* at = array->begin;
    for (uint32_t level = 0; level < levels; ++level) {
      auto one = std::make_unique<Array>();
      one->context = &context;
      one->descriptor = *descriptor;
      one->spec = array->spec;
      one->spec.levels = 1;
      one->spec.width = array->spec.width_of(level);
      one->spec.height = array->spec.height_of(level);
      one->spec.depth = array->spec.depth_of(level);
      one->descriptor.Width = one->spec.width;
      if (descriptor->Height != 0) one->descriptor.Height = one->spec.height;
      if (descriptor->Depth != 0) one->descriptor.Depth = one->spec.depth;
      one->texels = array->texels;
      one->begin = at;
      one->bytes = array->spec.level_bytes(level);
      at += one->bytes;
      // Levels are found like arrays of their own, and live as long as they are held.
      const Array* handle = device.arrays.add(std::move(one));
      array->level_handles.push_back(handle);
    }
    *made = reinterpret_cast<CUmipmappedArray>(array);
    return CUDA_SUCCESS;
  });
}

CUresult cuMipmappedArrayGetLevel(CUarray* made, CUmipmappedArray handle, unsigned level) {
  if (handle == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (made == nullptr) return invalid_value();
  return with_array(reinterpret_cast<CUarray>(handle), [&](Gpu&, Array& array) -> CUresult {
    if (level >= array.level_handles.size()) return CUDA_ERROR_INVALID_VALUE;
    *made = reinterpret_cast<CUarray>(const_cast<Array*>(array.level_handles[level]));
    return CUDA_SUCCESS;
  });
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray handle) {
  if (handle == nullptr) return invalid_handle();
  perform_all_deferred();
  return with_array(reinterpret_cast<CUarray>(handle), [&](Gpu& device, Array& array) {
    for (const Array* level : array.level_handles) device.arrays.take(level);
    device.arrays.take(handle);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* copy) { return copy_2d(copy, nullptr, true); }
CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* copy) { return copy_2d(copy, nullptr, true); }
CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* copy, CUstream stream) {
  return copy_2d(copy, stream, false);
}
CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D* copy) { return copy_3d(copy, nullptr, true); }
CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* copy, CUstream stream) {
  return copy_3d(copy, stream, false);
}
CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* copy) { return copy_3d(copy, nullptr, true); }
CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* copy, CUstream stream) {
  return copy_3d(copy, stream, false);
}

CUresult cuMemcpyHtoA_v2(CUarray to, size_t offset, const void* from, size_t bytes) {
  return copy_line(to, offset, CU_MEMORYTYPE_HOST, writable(from), 0, bytes, true, nullptr, true);
}
CUresult cuMemcpyAtoH_v2(void* to, CUarray from, size_t offset, size_t bytes) {
  return copy_line(from, offset, CU_MEMORYTYPE_HOST, to, 0, bytes, false, nullptr, true);
}
CUresult cuMemcpyHtoAAsync_v2(CUarray to, size_t offset, const void* from, size_t bytes, CUstream stream) {
  return copy_line(to, offset, CU_MEMORYTYPE_HOST, writable(from), 0, bytes, true, stream, false);
}
CUresult cuMemcpyAtoHAsync_v2(void* to, CUarray from, size_t offset, size_t bytes, CUstream stream) {
  return copy_line(from, offset, CU_MEMORYTYPE_HOST, to, 0, bytes, false, stream, false);
}
CUresult cuMemcpyDtoA_v2(CUarray to, size_t offset, CUdeviceptr from, size_t bytes) {
  return copy_line(to, offset, CU_MEMORYTYPE_DEVICE, nullptr, from, bytes, true, nullptr, true);
}
CUresult cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, size_t offset, size_t bytes) {
  return copy_line(from, offset, CU_MEMORYTYPE_DEVICE, nullptr, to, bytes, false, nullptr, true);
}
CUresult cuMemcpyAtoA_v2(CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t bytes) {
  return with_context(Waits::yes, [&](Gpu& device, Context& context) -> CUresult {
    if (bytes == 0 && (to == nullptr || from == nullptr)) return CUDA_SUCCESS;
    const Array *target = device.arrays.find(to), *source = device.arrays.find(from);
    if (target == nullptr || source == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    const auto fits = [&](const Array& array, size_t offset) {
      const uint64_t size = array.spec.level_bytes(0);
      return offset <= size && bytes <= size - offset;
    };
    if (!fits(*target, to_offset) || !fits(*source, from_offset)) return CUDA_ERROR_INVALID_VALUE;
    std::memmove(target->begin + to_offset, source->begin + from_offset, bytes);
    note_copy(device, legacy_stream(device, context), Direction::on_device, bytes, 0, false);
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
