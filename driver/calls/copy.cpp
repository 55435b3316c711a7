// Copies of plain ranges, and memset.
#include <fmt/format.h>

#include <cstring>

#include "driver/calls/blocks.h"
#include "driver/calls/entry.h"
#include "driver/state/host_place.h"

using namespace warplens::driver;
using warplens::recording::Direction;

namespace {

// From and to which side; an address of neither is the host's own.
struct Ends {
  std::byte* to = nullptr;
  const std::byte* from = nullptr;
  Direction direction = Direction::on_host;
  uint64_t device_address = 0;
};

bool lies_on_device(Gpu& device, uint64_t address) {
  const Block* block = device.block_of(address);
  return block != nullptr && block->kind != Block::Kind::pinned && block->kind != Block::Kind::registered;
}

CUresult carry_out(Gpu& device, Context& context, const Ends& ends, uint64_t to_address, uint64_t bytes,
                   CUstream handle, bool waits) {
  CUresult error = CUDA_SUCCESS;
  Stream* stream = stream_of(device, context, handle, error);
  const bool writes_device = ends.direction == Direction::to_device || ends.direction == Direction::on_device;
  if (error == CUDA_SUCCESS && writes_device) error = may_write(device, to_address, bytes, "A copy to");
  if (error != CUDA_SUCCESS) return error;
  std::memmove(ends.to, ends.from, bytes);
  if (writes_device) note_written(device, to_address, bytes);
  note_copy(device, stream, ends.direction, bytes, ends.device_address, waits, ends.to);
  return CUDA_SUCCESS;
}

CUresult to_device(CUdeviceptr to, const void* from, size_t bytes, CUstream stream, bool waits) {
  const HostCall here;
  return with_context(waits ? Waits::yes : Waits::gives_work, [&](Gpu& device, Context& context) -> CUresult {
    if (bytes == 0) return CUDA_SUCCESS;
    if (from == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::byte* at = range_at(device, to, bytes, "A copy to the device");
    if (at == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return carry_out(device, context, {at, static_cast<const std::byte*>(from), Direction::to_device, to}, to,
                     bytes, stream, waits);
  });
}

CUresult to_host(void* to, CUdeviceptr from, size_t bytes, CUstream stream, bool waits) {
  const HostCall here;
  return with_context(waits ? Waits::yes : Waits::gives_work, [&](Gpu& device, Context& context) -> CUresult {
    if (bytes == 0) return CUDA_SUCCESS;
    if (to == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const std::byte* at = range_at(device, from, bytes, "A copy from the device");
    if (at == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return carry_out(device, context, {static_cast<std::byte*>(to), at, Direction::from_device, from},
                     reinterpret_cast<uintptr_t>(to), bytes, stream, waits);
  });
}

CUresult on_device(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream, bool waits) {
  const HostCall here;
  return with_context(waits ? Waits::yes : Waits::gives_work, [&](Gpu& device, Context& context) -> CUresult {
    if (bytes == 0) return CUDA_SUCCESS;
    std::byte* at = range_at(device, to, bytes, "A copy on the device, to memory");
    const std::byte* source =
        at == nullptr ? nullptr : range_at(device, from, bytes, "A copy on the device, from memory");
    if (source == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return carry_out(device, context, {at, source, Direction::on_device, to}, to, bytes, stream, false);
  });
}

// Addresses tell what they are (unified addressing).
CUresult by_address(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream, bool waits) {
  const HostCall here;
  return with_context(waits ? Waits::yes : Waits::gives_work, [&](Gpu& device, Context& context) -> CUresult {
    if (bytes == 0) return CUDA_SUCCESS;
    const bool to_here = device.block_of(to) != nullptr, from_here = device.block_of(from) != nullptr;
    const auto side = [&](uint64_t address, bool known, const char* what) {
      return known ? range_at(device, address, bytes, what) : reinterpret_cast<std::byte*>(address);
    };
    if (to == 0 || from == 0) return CUDA_ERROR_INVALID_VALUE;
    Ends ends{side(to, to_here, "A copy, to memory"), side(from, from_here, "A copy, from memory")};
    if (ends.to == nullptr || ends.from == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const bool to_device = lies_on_device(device, to), from_device = lies_on_device(device, from);
    ends.direction = to_device && from_device ? Direction::on_device
                     : to_device              ? Direction::to_device
                     : from_device            ? Direction::from_device
                                              : Direction::on_host;
    ends.device_address = to_device ? to : from_device ? from : 0;
    return carry_out(device, context, ends, to, bytes, stream,
                     waits && ends.direction != Direction::on_device);
  });
}

template <class T>
CUresult fill_rows(CUdeviceptr to, size_t pitch, T value, size_t width, size_t height, CUstream handle) {
  const HostCall here;
  return with_context(Waits::gives_work, [&](Gpu& device, Context& context) -> CUresult {
    if (width == 0 || height == 0) return CUDA_SUCCESS;
    if (to % sizeof(T) != 0 || width > SIZE_MAX / sizeof(T)) return CUDA_ERROR_INVALID_VALUE;
    const size_t row = width * sizeof(T);
    if (height > 1 && (pitch < row || pitch % sizeof(T) != 0 || height - 1 > (SIZE_MAX - row) / pitch))
      return CUDA_ERROR_INVALID_VALUE;
    CUresult error = CUDA_SUCCESS;
    Stream* stream = stream_of(device, context, handle, error);
    if (error != CUDA_SUCCESS) return error;
    const size_t all = (height - 1) * (height > 1 ? pitch : 0) + row;
    std::byte* at = range_at(device, to, all, "A memset");
    if (at == nullptr) return CUDA_ERROR_INVALID_VALUE;
    error = may_write(device, to, all, "A memset of");
    if (error != CUDA_SUCCESS) return error;
    for (size_t y = 0; y < height; ++y) {
      std::byte* begin = at + y * (height > 1 ? pitch : 0);
      if constexpr (sizeof(T) == 1) {
        std::memset(begin, static_cast<int>(value), row);
      } else {
        for (size_t x = 0; x < width; ++x) std::memcpy(begin + x * sizeof(T), &value, sizeof(T));
      }
      note_written(device, to + y * (height > 1 ? pitch : 0), row);
    }
    note_copy(device, stream, Direction::on_device, row * height / 2, to, false);
    return CUDA_SUCCESS;
  });
}

}  // namespace

extern "C" {

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, size_t bytes) {
  return to_device(to, from, bytes, nullptr, true);
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  return to_device(to, from, bytes, stream, false);
}
CUresult cuMemcpyDtoH_v2(void* to, CUdeviceptr from, size_t bytes) {
  return to_host(to, from, bytes, nullptr, true);
}
CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return to_host(to, from, bytes, stream, false);
}
CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return on_device(to, from, bytes, nullptr, true);
}
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return on_device(to, from, bytes, stream, false);
}
CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return by_address(to, from, bytes, nullptr, true);
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return by_address(to, from, bytes, stream, false);
}
CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, size_t bytes) {
  return on_device(to, from, bytes, nullptr, true);
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, size_t bytes,
                           CUstream stream) {
  return on_device(to, from, bytes, stream, false);
}

CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t count) {
  return fill_rows<uint8_t>(to, 0, value, count, 1, nullptr);
}
CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, size_t count) {
  return fill_rows<uint16_t>(to, 0, value, count, 1, nullptr);
}
CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t count) {
  return fill_rows<uint32_t>(to, 0, value, count, 1, nullptr);
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  return fill_rows<uint8_t>(to, 0, value, count, 1, stream);
}
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream) {
  return fill_rows<uint16_t>(to, 0, value, count, 1, stream);
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream) {
  return fill_rows<uint32_t>(to, 0, value, count, 1, stream);
}
CUresult cuMemsetD2D8_v2(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height) {
  return fill_rows<uint8_t>(to, pitch, value, width, height, nullptr);
}
CUresult cuMemsetD2D16_v2(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height) {
  return fill_rows<uint16_t>(to, pitch, value, width, height, nullptr);
}
CUresult cuMemsetD2D32_v2(CUdeviceptr to, size_t pitch, unsigned value, size_t width, size_t height) {
  return fill_rows<uint32_t>(to, pitch, value, width, height, nullptr);
}
CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height,
                           CUstream stream) {
  return fill_rows<uint8_t>(to, pitch, value, width, height, stream);
}
CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height,
                            CUstream stream) {
  return fill_rows<uint16_t>(to, pitch, value, width, height, stream);
}
CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned value, size_t width, size_t height,
                            CUstream stream) {
  return fill_rows<uint32_t>(to, pitch, value, width, height, stream);
}

}  // extern "C"
