// Copies of plain ranges, and memset.
#include <fmt/format.h>

#include <cstring>

#include "cuda/stand_in/driver/calls/blocks.h"
#include "cuda/stand_in/driver/calls/capture.h"
#include "cuda/stand_in/driver/calls/entry.h"
#include "cuda/stand_in/driver/calls/graph_nodes.h"
#include "cuda/stand_in/driver/calls/written.h"
#include "cuda/stand_in/driver/state/host_place.h"
#include "cuda/stand_in/driver/state/order.h"

using namespace warplens::driver;
using warplens::recording::Direction;

namespace {

// From and to which side; an address of neither is the host's own.
struct Ends {
  std::byte* to = nullptr;
  const std::byte* from = nullptr;
  Direction direction = Direction::on_host;
};

// A requested copy: two addresses, and the kinds of memory that the program says they are in.
struct Row {
  CUmemorytype to_type;
  uint64_t to = 0;
  CUmemorytype from_type;
  uint64_t from = 0;
  size_t bytes = 0;
};

bool lies_on_device(Gpu& device, uint64_t address) {
  const Block* block = device.block_of(address);
  return block != nullptr && block->kind != Block::Kind::pinned && block->kind != Block::Kind::registered;
}

CUresult carry_out(Gpu& device, Stream* stream, const Row& row, const Ends& ends, bool async) {
  const bool writes_device = writes_to_device(ends.direction);
  if (writes_device) {
    if (const CUresult error = may_write(device, row.to, row.bytes, "A copy to"); error != CUDA_SUCCESS)
      return error;
  }
  std::memmove(ends.to, ends.from, row.bytes);
  if (writes_device) note_written(device, row.to, row.bytes);
  if (ends.direction == Direction::from_device) note_copied_back(device, row.from, row.bytes, 1, row.bytes);
  const uint64_t address = writes_device ? row.to : ends.direction == Direction::from_device ? row.from : 0;
  note_copy(device, stream, ends.direction, row.bytes, address,
            !async && (ends.direction == Direction::to_device || ends.direction == Direction::from_device ||
                       ends.direction == Direction::on_host),
            ends.to, row.from);
  return CUDA_SUCCESS;
}

// find(Gpu&, Ends&) → CUresult gives the bytes of both sides. Where the stream is being captured, the copy is
// a node, and its addresses need not be there yet.
template <class F>
CUresult copy_row(const Row& row, CUstream handle, bool waits, F find) {
  const HostCall here;
  return with_context(waits ? Waits::yes : Waits::gives_work, [&](Gpu& device, Context& context) -> CUresult {
    if (row.bytes == 0) return CUDA_SUCCESS;
    // That of the device leads to a sentence below.
    if ((row.to == 0 && row.to_type != CU_MEMORYTYPE_DEVICE) ||
        (row.from == 0 && row.from_type != CU_MEMORYTYPE_DEVICE))
      return CUDA_ERROR_INVALID_VALUE;
    CUresult error = CUDA_SUCCESS;
    Stream* stream = stream_of(device, context, handle, error, waits ? Waits::yes : Waits::gives_node);
    if (error != CUDA_SUCCESS) return error;
    if (is_captured(stream))
      return capture_node(device, *stream,
                          CopyNode{row_copy(row.to_type, row.to, row.from_type, row.from, row.bytes),
                                   reinterpret_cast<CUcontext>(&context)});
    Ends ends;
    error = find(device, ends);
    if (error != CUDA_SUCCESS) return error;
    const OrderedCopy copy{.direction = ends.direction,
                           .to = {.address = row.to},
                           .from = {.address = row.from},
                           .width = row.bytes,
                           .async = !waits};
    const bool is_staged = !waits && ends.direction == Direction::to_device;
    const auto kept = is_staged ? staged(device, ends.from, row.bytes) : nullptr;
    if (kept != nullptr) ends.from = kept->data();
    return copy_in_stream_order(device, context, stream, copy, [=, kept = kept](Gpu& locked) {
      return carry_out(locked, stream, row, ends, !waits);
    });
  });
}

CUresult to_device(CUdeviceptr to, const void* from, size_t bytes, CUstream stream, bool waits) {
  const Row row{CU_MEMORYTYPE_DEVICE, to, CU_MEMORYTYPE_HOST, reinterpret_cast<uintptr_t>(from), bytes};
  return copy_row(row, stream, waits, [&](Gpu& device, Ends& ends) {
    ends = {range_at(device, to, bytes, "A copy to the device"), static_cast<const std::byte*>(from),
            Direction::to_device};
    return ends.to == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  });
}

CUresult to_host(void* to, CUdeviceptr from, size_t bytes, CUstream stream, bool waits) {
  const Row row{CU_MEMORYTYPE_HOST, reinterpret_cast<uintptr_t>(to), CU_MEMORYTYPE_DEVICE, from, bytes};
  return copy_row(row, stream, waits, [&](Gpu& device, Ends& ends) {
    ends = {static_cast<std::byte*>(to), range_at(device, from, bytes, "A copy from the device"),
            Direction::from_device};
    return ends.from == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  });
}

CUresult on_device(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream, bool waits) {
  const Row row{CU_MEMORYTYPE_DEVICE, to, CU_MEMORYTYPE_DEVICE, from, bytes};
  return copy_row(row, stream, waits, [&](Gpu& device, Ends& ends) {
    ends.direction = direction_between(device, to, from);
    ends.to = range_at(device, to, bytes, "A copy on the device, to memory");
    if (ends.to != nullptr) ends.from = range_at(device, from, bytes, "A copy on the device, from memory");
    return ends.from == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  });
}

// Addresses tell what they are (unified addressing).
CUresult by_address(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream, bool waits) {
  const Row row{CU_MEMORYTYPE_UNIFIED, to, CU_MEMORYTYPE_UNIFIED, from, bytes};
  return copy_row(row, stream, waits, [&](Gpu& device, Ends& ends) {
    const auto side = [&](uint64_t address, const char* what) {
      return device.block_of(address) != nullptr ? range_at(device, address, bytes, what)
                                                 : reinterpret_cast<std::byte*>(address);
    };
    ends.to = side(to, "A copy, to memory");
    ends.from = side(from, "A copy, from memory");
    const bool to_device = lies_on_device(device, to), from_device = lies_on_device(device, from);
    ends.direction = to_device && from_device ? direction_between(device, to, from)
                     : to_device              ? Direction::to_device
                     : from_device            ? Direction::from_device
                                              : Direction::on_host;
    return ends.to == nullptr || ends.from == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  });
}

template <class T>
CUresult fill_rows(CUdeviceptr to, size_t pitch, T value, size_t width, size_t height, CUstream handle,
                   bool async) {
  const HostCall here;
  return with_context(Waits::gives_work, [&](Gpu& device, Context& context) -> CUresult {
    if (width == 0 || height == 0) return CUDA_SUCCESS;
    if (to % sizeof(T) != 0 || width > SIZE_MAX / sizeof(T)) return CUDA_ERROR_INVALID_VALUE;
    const size_t row = width * sizeof(T);
    if (height > 1 && (pitch < row || pitch % sizeof(T) != 0 || height - 1 > (SIZE_MAX - row) / pitch))
      return CUDA_ERROR_INVALID_VALUE;
    CUresult error = CUDA_SUCCESS;
    Stream* stream = stream_of(device, context, handle, error, Waits::gives_node);
    if (error != CUDA_SUCCESS) return error;
    if (is_captured(stream))
      return capture_node(device, *stream,
                          SetNode{{to, pitch, static_cast<unsigned>(value), sizeof(T), width, height,
                                   reinterpret_cast<CUcontext>(&context)}});
    const size_t all = (height - 1) * (height > 1 ? pitch : 0) + row;
    std::byte* at = range_at(device, to, all, "A memset");
    if (at == nullptr) return CUDA_ERROR_INVALID_VALUE;
    error = may_write(device, to, all, "A memset of");
    if (error != CUDA_SUCCESS) return error;
    const OrderedCopy copy{.direction = Direction::memset,
                           .to = {.address = to, .pitch = pitch},
                           .from = {},
                           .width = row,
                           .rows = height,
                           .async = async};
    return copy_in_stream_order(device, context, stream, copy, [=](Gpu& locked) {
      for (size_t y = 0; y < height; ++y) {
        std::byte* begin = at + y * (height > 1 ? pitch : 0);
        if constexpr (sizeof(T) == 1) {
          std::memset(begin, static_cast<int>(value), row);
        } else {
          for (size_t x = 0; x < width; ++x) std::memcpy(begin + x * sizeof(T), &value, sizeof(T));
        }
        note_written(locked, to + y * (height > 1 ? pitch : 0), row, true);
      }
      note_copy(locked, stream, Direction::memset, row * height, to, false);
      return CUDA_SUCCESS;
    });
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
  // All work of both devices is ordered before it, and what comes later after it (CUDA Driver API).
  const auto meet = [&] {
    with_gpu([&](Gpu& device) {
      const Block *target = device.block_of(to), *source = device.block_of(from);
      if (target != nullptr && source != nullptr && target->on != source->on)
        meet_devices(device, *target->on, *source->on);
      return CUDA_SUCCESS;
    });
  };
  meet();
  const CUresult error = on_device(to, from, bytes, nullptr, true);
  if (error == CUDA_SUCCESS) meet();
  return error;
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, size_t bytes,
                           CUstream stream) {
  return on_device(to, from, bytes, stream, false);
}

CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t count) {
  return fill_rows<uint8_t>(to, 0, value, count, 1, nullptr, false);
}
CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, size_t count) {
  return fill_rows<uint16_t>(to, 0, value, count, 1, nullptr, false);
}
CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t count) {
  return fill_rows<uint32_t>(to, 0, value, count, 1, nullptr, false);
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  return fill_rows<uint8_t>(to, 0, value, count, 1, stream, true);
}
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream) {
  return fill_rows<uint16_t>(to, 0, value, count, 1, stream, true);
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream) {
  return fill_rows<uint32_t>(to, 0, value, count, 1, stream, true);
}
CUresult cuMemsetD2D8_v2(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height) {
  return fill_rows<uint8_t>(to, pitch, value, width, height, nullptr, false);
}
CUresult cuMemsetD2D16_v2(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height) {
  return fill_rows<uint16_t>(to, pitch, value, width, height, nullptr, false);
}
CUresult cuMemsetD2D32_v2(CUdeviceptr to, size_t pitch, unsigned value, size_t width, size_t height) {
  return fill_rows<uint32_t>(to, pitch, value, width, height, nullptr, false);
}
CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height,
                           CUstream stream) {
  return fill_rows<uint8_t>(to, pitch, value, width, height, stream, true);
}
CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height,
                            CUstream stream) {
  return fill_rows<uint16_t>(to, pitch, value, width, height, stream, true);
}
CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned value, size_t width, size_t height,
                            CUstream stream) {
  return fill_rows<uint32_t>(to, pitch, value, width, height, stream, true);
}

}  // extern "C"
