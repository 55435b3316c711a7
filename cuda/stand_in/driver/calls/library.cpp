#include "cuda/stand_in/driver/calls/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/gpu/timing/time_model.h"
#include "cuda/stand_in/driver/calls/blocks.h"
#include "cuda/stand_in/driver/calls/capture.h"
#include "cuda/stand_in/driver/calls/entry.h"
#include "cuda/stand_in/driver/calls/peers.h"
#include "cuda/stand_in/driver/exchange_call.h"
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

WorkPart part_of(const warplens_exchange* exchange) {
  if (exchange == nullptr) return WorkPart::whole;
  return exchange->continues != 0 ? WorkPart::last : WorkPart::first;
}

uint64_t link_bytes(const warplens_exchange& exchange) {
  return std::max(exchange.sent_bytes, exchange.received_bytes);
}

std::optional<double> time_of(const Device& spec, const warplens_library_work& work, uint64_t bytes,
                              const warplens_exchange* exchange) {
  const std::optional<double> us = library_time(spec, work.unit, work.operations, bytes);
  if (exchange == nullptr || link_bytes(*exchange) == 0) return us;
  const std::optional<Band> link = copy_time(spec, link_bytes(*exchange), default_time_parameters());
  return us && link ? std::optional(std::max(*us, link->value)) : std::nullopt;
}

// The time of the work on the device, and its line in the journal. `note` has what was measured.
void note_library(Gpu& device, Stream* stream, const warplens_library_work& work, WorkPart part,
                  recording::LibraryNote note, DevicePages pages) {
  if (note.device_us) *note.device_us += pages.us;
  Clock& clock = device.device_of(stream).clock;
  // As for a kernel whose time is not known, this machine's stands in.
  const double us = part == WorkPart::last ? pages.us : note.device_us.value_or(note.host_us);
  const Interval when = clock.run(stream, us, Engine::kernels);
  if (work.waits != 0) {
    clock.meet(when.end_us);
    wait_for_stream(device, stream);
  }
  if (part != WorkPart::last) {
    note.stream = number_of(stream);
    note.begin_us = when.begin_us;
    note.waits = work.waits != 0;
    device.journal.library(note);
  }
  note_device_pages(device, stream, when.begin_us, std::move(pages));
}

// With the lock.
CUresult run_work(Gpu& device, Context& context, Stream* stream, const warplens_library_work& work,
                  const warplens_exchange* exchange = nullptr) {
  if (device.unread) device.unread->went_on = true;
  Access access{.device = device,
                .name = work.name,
                .operation = begin_operation(device, stream, streams::Operation::Kind::library, work.name,
                                             part_of(exchange)),
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
  recording::LibraryNote note{.call = work.name, .shape = work.shape, .place = host_place()};
  note.bytes = exchange != nullptr ? link_bytes(*exchange) : access.bytes;
  if (!fault) note.device_us = time_of(context.on->spec, work, access.bytes, exchange);
  note.at_us = begin_us;
  note.host_us = host_us;
  note_library(device, stream, work, part_of(exchange), note, std::move(pages));
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

namespace {

CUresult give_work(CUstream handle, const warplens_library_work& given,
                   std::optional<warplens_exchange> exchange) {
  const HostCall here;
  const LibraryWork work(new warplens_library_work(given), [](const warplens_library_work* ended) {
    ended->destroy(ended->data);
    delete ended;
  });
  const Waits waits = given.waits != 0 ? Waits::yes : exchange ? Waits::gives_work : Waits::gives_node;
  return with_stream(waits, handle, [&](Gpu& device, Context& context, Stream* stream) -> CUresult {
    if (is_captured(stream)) return capture_node(device, *stream, HostNode{nullptr, nullptr, work});
    const CUresult error =
        in_stream_order(device, context, stream, [&context, stream, work, exchange](Gpu& locked) {
          return run_work(locked, context, stream, *work, exchange ? &*exchange : nullptr);
        });
    if (device.deferred.on && work->waits != 0) wait_for_stream(device, stream);
    return error;
  });
}

}  // namespace

}  // namespace warplens::driver

extern "C" {

CUresult warplens_run_library(CUstream stream, const warplens_library_work* work) {
  return warplens::driver::give_work(stream, *work, std::nullopt);
}
CUresult warplens_run_exchange(CUstream stream, const warplens_library_work* work,
                               const warplens_exchange* exchange) {
  return warplens::driver::give_work(stream, *work, *exchange);
}

}  // extern "C"
