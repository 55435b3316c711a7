#include "cuda/stand_in/driver/calls/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "cuda/stand_in/driver/calls/blocks.h"
#include "cuda/stand_in/driver/calls/capture.h"
#include "cuda/stand_in/driver/calls/entry.h"
#include "cuda/stand_in/driver/calls/peers.h"
#include "cuda/stand_in/driver/state/host_place.h"
#include "cuda/stand_in/driver/state/managed_pages.h"
#include "cuda/stand_in/driver/state/order.h"

namespace warplens::driver {

namespace {

struct Access {
  Gpu& device;
  const char* name = nullptr;
  streams::OperationPointer operation;
  uint64_t bytes = 0;
  std::string missing;  // why memory was not there
};

void* memory_at(void* self, uint64_t address, size_t pitch, size_t width, size_t rows, int use) {
  auto& access = *static_cast<Access*>(self);
  if (width == 0 || rows == 0) return self;  // it is never read
  const size_t all = (rows - 1) * pitch + width;
  const std::string call =
      fmt::format("{} {} an array", access.name, use == warplens_reads ? "reads" : "writes");
  std::byte* found = range_or_why(access.device, address, all, call.c_str(), access.missing);
  if (found == nullptr) return nullptr;
  if (use != warplens_reads) {
    if (may_write(access.device, address, all, call.c_str()) != CUDA_SUCCESS) return nullptr;
    for (size_t row = 0; row < rows; ++row) note_written(access.device, address + row * pitch, width);
  }
  const bool side_by_side = rows == 1 || pitch == width;
  for (size_t row = 0; row < (side_by_side ? 1 : std::min<size_t>(rows, StreamOrder::most_pieces)); ++row)
    touch(access.device, access.operation, address + row * pitch, side_by_side ? rows * width : width,
          use == warplens_reads ? streams::Access::read : streams::Access::write);
  access.bytes += uint64_t{width} * rows * (use == warplens_updates ? 2 : 1);
  return found;
}

void say(void* self, const char* sentence) { static_cast<Access*>(self)->missing = sentence; }

// With the lock.
CUresult run_work(Gpu& device, Context& context, Stream* stream, const warplens_library_work& work) {
  if (device.unread) device.unread->went_on = true;
  Access access{.device = device,
                .name = work.name,
                .operation = begin_operation(device, stream, streams::Operation::Kind::library, work.name),
                .missing = {}};
  const warplens_memory memory{&access, memory_at, say};
  note_host_pages(device);
  const double begin_us = recording::now_us();
  std::optional<OutOfReach> out_of_reach(std::in_place, device, context);
  const int end = work.run(work.data, &memory);
  out_of_reach.reset();
  const bool fault = end == work_lacks_memory;
  const double host_us = recording::now_us() - begin_us;
  DevicePages pages = end_device_pages(device);
  if (end == work_lacks_room)
    return device.refuse(CUDA_ERROR_OUT_OF_MEMORY,
                         fmt::format("This machine has no memory left for {} ({}).", work.name, work.shape));
  std::optional<double> us =
      fault ? std::nullopt : library_time(context.on->spec, work.unit, work.operations, access.bytes);
  if (us) *us += pages.us;
  // As for a kernel whose time is not known, this machine's stands in.
  Clock& clock = device.device_of(stream).clock;
  const Interval when = clock.run(stream, us.value_or(host_us), Engine::kernels);
  if (work.waits != 0) {
    clock.meet(when.end_us);
    wait_for_stream(device, stream);
  }
  device.journal.library({.call = work.name,
                          .shape = work.shape,
                          .bytes = access.bytes,
                          .stream = number_of(stream),
                          .begin_us = when.begin_us,
                          .device_us = us,
                          .at_us = begin_us,
                          .host_us = host_us,
                          .waits = work.waits != 0,
                          .place = host_place()});
  note_device_pages(device, stream, when.begin_us, std::move(pages));
  if (!fault) return CUDA_SUCCESS;
  context.pending = CUDA_ERROR_ILLEGAL_ADDRESS;
  if (!access.missing.empty())
    device.tell("out_of_bounds", CUDA_ERROR_ILLEGAL_ADDRESS, access.missing, work.name);
  return CUDA_ERROR_ILLEGAL_ADDRESS;
}

}  // namespace

CUresult run_library(const LibraryWork& work, CUstream handle) {
  const HostCall here;
  return with_stream(Waits::gives_work, handle, [&](Gpu& device, Context& context, Stream* stream) {
    return run_work(device, context, stream, *work);
  });
}

}  // namespace warplens::driver

extern "C" CUresult warplens_run_library(CUstream handle, const warplens_library_work* given) {
  using namespace warplens::driver;
  const HostCall here;
  const LibraryWork work(new warplens_library_work(*given), [](const warplens_library_work* ended) {
    ended->destroy(ended->data);
    delete ended;
  });
  const Waits waits = given->waits != 0 ? Waits::yes : Waits::gives_node;
  return with_stream(waits, handle, [&](Gpu& device, Context& context, Stream* stream) -> CUresult {
    if (is_captured(stream)) return capture_node(device, *stream, HostNode{nullptr, nullptr, work});
    const CUresult error = in_stream_order(device, context, stream, [&context, stream, work](Gpu& locked) {
      return run_work(locked, context, stream, *work);
    });
    if (device.deferred.on && work->waits != 0) wait_for_stream(device, stream);
    return error;
  });
}
