// Copies and memset: timed by events, with their direction, bytes and contents.
#include <algorithm>

#include "core/recording/chunks.h"
#include "cuda/stand_in/driver/state/host_place.h"
#include "cuda/stand_in/relay/next.h"
#include "cuda/stand_in/relay/state/program.h"

using namespace warplens::relay;
using warplens::recording::Direction;

namespace {

struct Copy {
  Direction direction = Direction::on_device;
  uint64_t bytes = 0, device_address = 0;
  CUstream stream = nullptr;
  bool waits = false;
  const void* host = nullptr;  // the host's bytes; null: they lie in rows, or on the device
  const warplens::recording::HostPlace* place = nullptr;
  uint64_t stream_number = 0;
};

uint64_t content_of(const Copy& copy) {
  if (copy.host == nullptr) return 0;
  return std::max<uint64_t>(
      1, warplens::recording::name_of({static_cast<const std::byte*>(copy.host), copy.bytes}).low);
}

void write(warplens::recording::Journal& journal, const Copy& copy, uint64_t content, double at_us,
           const std::optional<Times>& times) {
  warplens::recording::CopyNote note{.direction = copy.direction,
                                     .bytes = copy.bytes,
                                     .device_address = copy.device_address,
                                     .stream = copy.stream_number,
                                     .at_us = at_us,
                                     .content = content,
                                     .waits = copy.waits,
                                     .place = copy.place};
  if (times) {
    note.begin_us = times->begin_us;
    note.device_us = times->device_us;
  }
  journal.copy(note);
}

// call() → CUresult gives the copy to NVIDIA's driver.
template <class Call>
CUresult copied(Copy copy, bool per_thread, Call call) {
  Program* notes = program();
  if (notes == nullptr || copy.bytes == 0) return ended(call());
  const warplens::driver::HostCall here;
  copy.place = warplens::driver::host_place();
  if (per_thread && copy.stream == nullptr) copy.stream = CU_STREAM_PER_THREAD;
  copy.stream_number = warplens::relay::number_of(copy.stream);
  uint64_t content = copy.direction == Direction::to_device ? content_of(copy) : 0;
  std::optional<Timer> timer;
  {
    const std::scoped_lock lock(notes->mutex);
    timer = notes->timers.begin(copy.stream);
  }
  const double at_us = warplens::recording::now_us();
  const CUresult code = call();
  // What comes back is there only if the call has waited for it.
  if (copy.direction == Direction::from_device && copy.waits && code == CUDA_SUCCESS)
    content = content_of(copy);
  {
    const std::scoped_lock lock(notes->mutex);
    if (timer) notes->timers.end(*timer, copy.stream);
    // The stream has nothing more to do, so this is over at once. Then what was done so far is written down,
    // also where the process is ended next: a program's last copy is of its results.
    if (timer && copy.direction == Direction::from_device && copy.waits) NEXT(cuEventSynchronize)(timer->end);
    if (code == CUDA_SUCCESS) {
      notes->note(timer,
                  [=](auto& journal, const auto& times) { write(journal, copy, content, at_us, times); });
    } else if (timer) {
      notes->note(timer, [](auto&, const auto&) {});  // its events are used again
    }
  }
  return ended(code);
}

bool is_of_host(CUdeviceptr address) {
  unsigned type = 0;
  return NEXT(cuPointerGetAttribute)(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) != CUDA_SUCCESS ||
         type == CU_MEMORYTYPE_HOST;
}

// Addresses tell what they are (unified addressing).
Copy by_address(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream, bool waits) {
  const bool to_host = is_of_host(to), from_host = is_of_host(from);
  Copy copy{.bytes = bytes, .device_address = to_host ? from : to, .stream = stream, .waits = waits};
  if (from_host && !to_host) {
    copy.direction = Direction::to_device;
    copy.host = reinterpret_cast<const void*>(from);
  } else if (to_host && !from_host) {
    copy.direction = Direction::from_device;
    copy.host = reinterpret_cast<const void*>(to);
  } else if (to_host) {
    copy.direction = Direction::on_host;
    copy.device_address = 0;
  }
  return copy;
}

Direction direction_of(CUmemorytype from, CUmemorytype to, CUdeviceptr from_address, CUdeviceptr to_address) {
  const auto host = [](CUmemorytype type, CUdeviceptr address) {
    return type == CU_MEMORYTYPE_HOST || (type == CU_MEMORYTYPE_UNIFIED && is_of_host(address));
  };
  const bool out = host(to, to_address), in = host(from, from_address);
  return out && in ? Direction::on_host
         : out     ? Direction::from_device
         : in      ? Direction::to_device
                   : Direction::on_device;
}

template <class Rows>
Copy rows(const Rows* asked, uint64_t depth, CUstream stream, bool waits) {
  if (asked == nullptr) return {};
  Copy copy{.bytes = asked->WidthInBytes * asked->Height * depth, .stream = stream, .waits = waits};
  copy.direction =
      direction_of(asked->srcMemoryType, asked->dstMemoryType, asked->srcDevice, asked->dstDevice);
  copy.device_address = copy.direction == Direction::from_device ? asked->srcDevice
                        : copy.direction == Direction::on_host   ? 0
                                                                 : asked->dstDevice;
  return copy;
}

Copy rows_of(const CUDA_MEMCPY2D* asked, CUstream stream, bool waits) {
  return rows(asked, 1, stream, waits);
}
Copy rows_of(const CUDA_MEMCPY3D* asked, CUstream stream, bool waits) {
  return rows(asked, asked == nullptr ? 0 : asked->Depth, stream, waits);
}

Copy rows_of(const CUDA_MEMCPY3D_PEER* asked, CUstream stream, bool waits) {
  return rows(asked, asked == nullptr ? 0 : asked->Depth, stream, waits);
}

Copy set(CUdeviceptr to, uint64_t bytes, CUstream stream) {
  return {.direction = Direction::memset, .bytes = bytes, .device_address = to, .stream = stream};
}

}  // namespace

// A function and its form with a default stream for each thread. WHAT is the copy; names of the parameters
// are the function's own.
#define COPY_AS(SYMBOL, NAME, PER_THREAD, PARAMETERS, ARGUMENTS, ...)                          \
  CUresult SYMBOL PARAMETERS {                                                                 \
    return copied(__VA_ARGS__, PER_THREAD, [&] { return NEXT_LIKE(SYMBOL, NAME) ARGUMENTS; }); \
  }
#define COPY(NAME, ENDING, PARAMETERS, ARGUMENTS, ...)           \
  COPY_AS(NAME, NAME, false, PARAMETERS, ARGUMENTS, __VA_ARGS__) \
  COPY_AS(NAME##ENDING, NAME, true, PARAMETERS, ARGUMENTS, __VA_ARGS__)

extern "C" {

COPY(cuMemcpyHtoD_v2, _ptds, (CUdeviceptr to, const void* from, size_t bytes), (to, from, bytes),
     Copy{Direction::to_device, bytes, to, nullptr, true, from})
COPY(cuMemcpyHtoDAsync_v2, _ptsz, (CUdeviceptr to, const void* from, size_t bytes, CUstream stream),
     (to, from, bytes, stream), Copy{Direction::to_device, bytes, to, stream, false, from})
COPY(cuMemcpyDtoH_v2, _ptds, (void* to, CUdeviceptr from, size_t bytes), (to, from, bytes),
     Copy{Direction::from_device, bytes, from, nullptr, true, to})
COPY(cuMemcpyDtoHAsync_v2, _ptsz, (void* to, CUdeviceptr from, size_t bytes, CUstream stream),
     (to, from, bytes, stream), Copy{Direction::from_device, bytes, from, stream, false, to})
COPY(cuMemcpyDtoD_v2, _ptds, (CUdeviceptr to, CUdeviceptr from, size_t bytes), (to, from, bytes),
     Copy{Direction::on_device, bytes, to})
COPY(cuMemcpyDtoDAsync_v2, _ptsz, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream),
     (to, from, bytes, stream), Copy{Direction::on_device, bytes, to, stream})
COPY(cuMemcpy, _ptds, (CUdeviceptr to, CUdeviceptr from, size_t bytes), (to, from, bytes),
     by_address(to, from, bytes, nullptr, true))
COPY(cuMemcpyAsync, _ptsz, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream),
     (to, from, bytes, stream), by_address(to, from, bytes, stream, false))
COPY(cuMemcpyPeer, _ptds, (CUdeviceptr to, CUcontext there, CUdeviceptr from, CUcontext here, size_t bytes),
     (to, there, from, here, bytes), Copy{Direction::on_device, bytes, to})
COPY(cuMemcpyPeerAsync, _ptsz,
     (CUdeviceptr to, CUcontext there, CUdeviceptr from, CUcontext here, size_t bytes, CUstream stream),
     (to, there, from, here, bytes, stream), Copy{Direction::on_device, bytes, to, stream})

COPY(cuMemcpy2D_v2, _ptds, (const CUDA_MEMCPY2D* asked), (asked), rows_of(asked, nullptr, true))
COPY(cuMemcpy2DUnaligned_v2, _ptds, (const CUDA_MEMCPY2D* asked), (asked), rows_of(asked, nullptr, true))
COPY(cuMemcpy2DAsync_v2, _ptsz, (const CUDA_MEMCPY2D* asked, CUstream stream), (asked, stream),
     rows_of(asked, stream, false))
COPY(cuMemcpy3D_v2, _ptds, (const CUDA_MEMCPY3D* asked), (asked), rows_of(asked, nullptr, true))
COPY(cuMemcpy3DAsync_v2, _ptsz, (const CUDA_MEMCPY3D* asked, CUstream stream), (asked, stream),
     rows_of(asked, stream, false))
COPY(cuMemcpy3DPeer, _ptds, (const CUDA_MEMCPY3D_PEER* asked), (asked), rows_of(asked, nullptr, true))
COPY(cuMemcpy3DPeerAsync, _ptsz, (const CUDA_MEMCPY3D_PEER* asked, CUstream stream), (asked, stream),
     rows_of(asked, stream, false))

COPY(cuMemcpyHtoA_v2, _ptds, (CUarray to, size_t at, const void* from, size_t bytes), (to, at, from, bytes),
     Copy{Direction::to_device, bytes, 0, nullptr, true, from})
COPY(cuMemcpyHtoAAsync_v2, _ptsz, (CUarray to, size_t at, const void* from, size_t bytes, CUstream stream),
     (to, at, from, bytes, stream), Copy{Direction::to_device, bytes, 0, stream, false, from})
COPY(cuMemcpyAtoH_v2, _ptds, (void* to, CUarray from, size_t at, size_t bytes), (to, from, at, bytes),
     Copy{Direction::from_device, bytes, 0, nullptr, true, to})
COPY(cuMemcpyAtoHAsync_v2, _ptsz, (void* to, CUarray from, size_t at, size_t bytes, CUstream stream),
     (to, from, at, bytes, stream), Copy{Direction::from_device, bytes, 0, stream, false, to})
COPY(cuMemcpyDtoA_v2, _ptds, (CUarray to, size_t at, CUdeviceptr from, size_t bytes), (to, at, from, bytes),
     Copy{Direction::on_device, bytes, 0})
COPY(cuMemcpyAtoD_v2, _ptds, (CUdeviceptr to, CUarray from, size_t at, size_t bytes), (to, from, at, bytes),
     Copy{Direction::on_device, bytes, to})
COPY(cuMemcpyAtoA_v2, _ptds, (CUarray to, size_t at, CUarray from, size_t from_at, size_t bytes),
     (to, at, from, from_at, bytes), Copy{Direction::on_device, bytes, 0})

COPY(cuMemsetD8_v2, _ptds, (CUdeviceptr to, unsigned char value, size_t count), (to, value, count),
     set(to, count, nullptr))
COPY(cuMemsetD16_v2, _ptds, (CUdeviceptr to, unsigned short value, size_t count), (to, value, count),
     set(to, count * 2, nullptr))
COPY(cuMemsetD32_v2, _ptds, (CUdeviceptr to, unsigned value, size_t count), (to, value, count),
     set(to, count * 4, nullptr))
COPY(cuMemsetD8Async, _ptsz, (CUdeviceptr to, unsigned char value, size_t count, CUstream stream),
     (to, value, count, stream), set(to, count, stream))
COPY(cuMemsetD16Async, _ptsz, (CUdeviceptr to, unsigned short value, size_t count, CUstream stream),
     (to, value, count, stream), set(to, count * 2, stream))
COPY(cuMemsetD32Async, _ptsz, (CUdeviceptr to, unsigned value, size_t count, CUstream stream),
     (to, value, count, stream), set(to, count * 4, stream))
COPY(cuMemsetD2D8_v2, _ptds, (CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height),
     (to, pitch, value, width, height), set(to, width* height, nullptr))
COPY(cuMemsetD2D16_v2, _ptds,
     (CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height),
     (to, pitch, value, width, height), set(to, width* height * 2, nullptr))
COPY(cuMemsetD2D32_v2, _ptds, (CUdeviceptr to, size_t pitch, unsigned value, size_t width, size_t height),
     (to, pitch, value, width, height), set(to, width* height * 4, nullptr))
COPY(cuMemsetD2D8Async, _ptsz,
     (CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height, CUstream stream),
     (to, pitch, value, width, height, stream), set(to, width* height, stream))
COPY(cuMemsetD2D16Async, _ptsz,
     (CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height, CUstream stream),
     (to, pitch, value, width, height, stream), set(to, width* height * 2, stream))
COPY(cuMemsetD2D32Async, _ptsz,
     (CUdeviceptr to, size_t pitch, unsigned value, size_t width, size_t height, CUstream stream),
     (to, pitch, value, width, height, stream), set(to, width* height * 4, stream))

}  // extern "C"
