// Device memory for calls: ranges that lie in one allocation, and notes about them.
#pragma once

#include <string>

#include "cuda/stand_in/driver/calls/entry.h"
#include "cuda/stand_in/driver/state/gpu.h"
#include "cuda/stand_in/driver/state/managed_pages.h"
#include "cuda/stand_in/driver/state/order.h"

namespace warplens::driver {

// New memory of the device, or of the host for both. An empty handle if none is left.
Block* allocate_device(Gpu& device, Context& context, uint64_t bytes);
Block* allocate_pinned(Gpu& device, Context& context, uint64_t bytes, unsigned flags);
Block* allocate_managed(Gpu& device, Context& context, uint64_t bytes, unsigned flags);

bool has_room(const DeviceState& on, uint64_t bytes);
CUresult no_memory(Gpu& device, const DeviceState& on, uint64_t bytes);  // says what is in use

// The host's bytes of a range of device memory. Null if it is not in one allocation; then the reason was
// reported.
std::byte* range_at(Gpu& device, uint64_t address, uint64_t bytes, const char* call);
// The same, but the message goes into `why`.
std::byte* range_or_why(Gpu& device, uint64_t address, uint64_t bytes, const char* call, std::string& why);
// Whether such a range may be written; if not, the reason was reported.
CUresult may_write(Gpu& device, uint64_t address, uint64_t bytes, const char* call);
// "0x10…, which is in no allocation", "… in an array of 400 bytes that was freed".
std::string words_for(Gpu& device, uint64_t address);
// Marks bytes that the host wrote as initialised, for uninitialised-read checks. `set`: by a memset.
void note_written(Gpu& device, uint64_t address, uint64_t bytes, bool set = false);

// The legacy default stream of a context: null for the first device.
Stream* legacy_stream(Gpu& device, Context& context);
// Null for the legacy default stream of the first device, or if there is an error. All work for a stream
// passes here, so that captures are checked here too.
Stream* stream_of(Gpu& device, Context& context, CUstream handle, CUresult& error,
                  Waits waits = Waits::gives_work);
// Calls f(Gpu&, Context&, Stream*), with null for the default stream.
template <class F>
CUresult with_stream(Waits waits, CUstream handle, F f) {
  const auto of = [&](Gpu& device) -> Context* {
    const Stream* stream = device.streams.find(handle);
    return stream == nullptr ? nullptr : stream->context;
  };
  return with_context_of(waits, of, [&](Gpu& device, Context& context) -> CUresult {
    CUresult error = CUDA_SUCCESS;
    Stream* stream = stream_of(device, context, handle, error, waits);
    if (error == CUDA_SUCCESS && stream != nullptr && stream->context->on != context.on)
      error = state_of(device, *stream->context, waits);
    return error != CUDA_SUCCESS ? error : f(device, context, stream);
  });
}

// Notes a copy of this many bytes and advances the device's clock. `waits`: the program waits until it is
// done. `content`: its bytes if they are contiguous, to tell whether they were copied before; null otherwise.
// `from`: the source of a copy between two devices.
void note_copy(Gpu& device, Stream* stream, recording::Direction direction, uint64_t bytes, uint64_t address,
               bool waits, const std::byte* content = nullptr, uint64_t from = 0);
// Of a copy from device memory to device memory.
recording::Direction direction_between(Gpu& device, uint64_t to, uint64_t from);
// Whether a copy writes to memory of a device.
inline bool writes_to_device(recording::Direction direction) {
  return direction == recording::Direction::to_device || direction == recording::Direction::on_device ||
         direction == recording::Direction::between_devices;
}

// Does f(Gpu&) → CUresult, which copies, in the order of its stream; then the program waits if it does for
// such a copy.
template <class F>
CUresult copy_in_stream_order(Gpu& device, Context& context, Stream* stream, const OrderedCopy& copy, F f) {
  const CUresult error = in_stream_order(device, context, stream, [=](Gpu& locked) {
    move_pages_of(locked, stream, copy);
    const CUresult done = f(locked);
    forget_page_uses(locked);
    // Last: from here on the memory may be guarded.
    if (done == CUDA_SUCCESS) order_copy(locked, stream, copy);
    return done;
  });
  if (device.deferred.on) wait_for_copy(device, stream, copy);
  return error;
}

}  // namespace warplens::driver
