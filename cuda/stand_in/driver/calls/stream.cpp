// Streams, events and functions of the host in their order. Work is done when it is given: what a stream
// would still have to do concerns only the device's clock.
#include <fmt/format.h>

#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "cuda/stand_in/driver/calls/blocks.h"
#include "cuda/stand_in/driver/calls/capture.h"
#include "cuda/stand_in/driver/calls/entry.h"
#include "cuda/stand_in/driver/state/host_place.h"
#include "cuda/stand_in/driver/state/order.h"

using namespace warplens::driver;

namespace {

int within_range(int priority) { return priority > 0 ? 0 : priority < -5 ? -5 : priority; }

CUresult make_stream(CUstream* made, unsigned flags, int priority) {
  if (made == nullptr || (flags & ~unsigned{CU_STREAM_NON_BLOCKING}) != 0) return CUDA_ERROR_INVALID_VALUE;
  return with_context(Waits::no, [&](Gpu& device, Context& context) {
    auto stream = std::make_unique<Stream>();
    stream->context = &context;
    stream->id = ++device.numbers;
    stream->flags = flags;
    stream->priority = within_range(priority);
    order_stream(device, *stream);
    *made = reinterpret_cast<CUstream>(device.streams.add(std::move(stream)));
    return CUDA_SUCCESS;
  });
}

template <class F>
CUresult with_event(Waits waits, CUevent handle, F f) {
  const auto of = [&](Gpu& device) -> Context* {
    const Event* event = device.events.find(handle);
    return event == nullptr ? nullptr : event->context;
  };
  return with_context_of(waits, of, [&](Gpu& device, Context& context) -> CUresult {
    Event* event = device.events.find(handle);
    if (event == nullptr)
      return device.refuse(CUDA_ERROR_INVALID_HANDLE, "This is no event, or one that was destroyed.");
    return f(device, context, *event);
  });
}

// The call whose place is noted is over before the program's own function begins.
template <class F>
CUresult with_place(F f) {
  const HostCall here;
  return f();
}

// Whether a function of the host is put aside, as all work is in another order.
bool defers_function(Gpu& device, Context& context, const Stream* stream, std::function<void()> call) {
  if (!device.deferred.on || performs_deferred()) return false;
  defer(device, context, stream, [call = std::move(call)] {
    call();
    return CUDA_SUCCESS;
  });
  return true;
}

// Writes to memory of the device in the order of a stream (cuStreamWriteValue), and waits for a value that is
// there.
template <class T>
CUresult write_value(CUstream handle, CUdeviceptr address, T value) {
  return with_stream(
      Waits::gives_work, handle, [&](Gpu& device, Context& context, Stream* stream) -> CUresult {
        if (address % sizeof value != 0) return CUDA_ERROR_INVALID_VALUE;
        std::byte* at = range_at(device, address, sizeof value, "cuStreamWriteValue");
        if (at == nullptr) return CUDA_ERROR_INVALID_VALUE;
        if (const CUresult error = may_write(device, address, sizeof value, "cuStreamWriteValue to");
            error != CUDA_SUCCESS)
          return error;
        return in_stream_order(device, context, stream, [=](Gpu& locked) {
          std::memcpy(at, &value, sizeof value);
          note_written(locked, address, sizeof value);
          touch(
              locked,
              begin_operation(locked, stream, warplens::streams::Operation::Kind::set, "cuStreamWriteValue"),
              address, sizeof value, warplens::streams::Access::write);
          return CUDA_SUCCESS;
        });
      });
}

template <class T, class Signed>
CUresult wait_value(CUstream handle, CUdeviceptr address, T value, unsigned flags) {
  perform_all_deferred();
  return with_stream(Waits::gives_work, handle, [&](Gpu& device, Context&, Stream*) -> CUresult {
    if (address % sizeof value != 0) return CUDA_ERROR_INVALID_VALUE;
    const std::byte* at = range_at(device, address, sizeof value, "cuStreamWaitValue");
    if (at == nullptr) return CUDA_ERROR_INVALID_VALUE;
    T now{};
    std::memcpy(&now, at, sizeof now);
    const unsigned test = flags & 3;
    const bool holds = test == CU_STREAM_WAIT_VALUE_GEQ   ? static_cast<Signed>(now - value) >= 0
                       : test == CU_STREAM_WAIT_VALUE_EQ  ? now == value
                       : test == CU_STREAM_WAIT_VALUE_AND ? (now & value) != 0
                                                          : ~(now | value) != 0;
    if (holds) return CUDA_SUCCESS;
    return device.refuse(
        CUDA_ERROR_NOT_SUPPORTED,
        "A stream waits for a value that nothing given to the device before will write: work runs "
        "here in the order in which it is given.");
  });
}

// Launches have more.
bool is_stream_attribute(CUstreamAttrID which) {
  return which == CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW ||
         which == CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY || which == CU_LAUNCH_ATTRIBUTE_PRIORITY ||
         which == CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN || which == CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP;
}

}  // namespace

extern "C" {

CUresult cuStreamCreate(CUstream* made, unsigned flags) { return make_stream(made, flags, 0); }
CUresult cuStreamCreateWithPriority(CUstream* made, unsigned flags, int priority) {
  return make_stream(made, flags, priority);
}

CUresult cuStreamDestroy_v2(CUstream handle) {
  if (handle == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  return with_gpu([&](Gpu& device) -> CUresult {
    // In another order, work of it may wait still.
    if (device.deferred.on)
      return device.streams.find(handle) == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
    const auto stream = device.streams.take(handle);
    if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    drop_from_captures(device, *stream);
    forget_stream(device, *stream);
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamSynchronize(CUstream handle) {
  return with_stream(Waits::yes, handle, [](Gpu& device, Context&, Stream* stream) {
    Clock& clock = device.device_of(stream).clock;
    clock.meet(is_legacy(stream) ? clock.latest_us() : clock.end_of(stream));
    wait_for_stream(device, stream);
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamQuery(CUstream handle) {
  return with_stream(Waits::yes, handle, [](Gpu& device, Context&, Stream* stream) {
    wait_for_stream(device, stream);  // the answer is that all is done
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamWaitEvent(CUstream handle, CUevent event_handle, unsigned flags) {
  if ((flags & ~unsigned{CU_EVENT_WAIT_EXTERNAL}) != 0) return invalid_argument();
  const HostCall here;
  return with_stream(Waits::gives_node, handle, [&](Gpu& device, Context&, Stream* stream) -> CUresult {
    Event* event = device.events.find(event_handle);
    if (event == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (is_captured(stream) || event->capture != 0) return capture_wait(device, stream, *event, flags);
    order_after(device, stream, *event);
    if (event->recorded && device.settings.modelled_clock)
      device.device_of(stream).clock.wait(stream, event->at_us);
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamGetPriority(CUstream handle, int* priority) {
  if (priority == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_stream(Waits::no, handle, [&](Gpu&, Context&, Stream* stream) {
    *priority = stream == nullptr ? 0 : stream->priority;
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamGetFlags(CUstream handle, unsigned* flags) {
  if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_stream(Waits::no, handle, [&](Gpu&, Context&, Stream* stream) {
    *flags = stream == nullptr ? 0 : stream->flags;
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamGetId(CUstream handle, unsigned long long* id) {
  if (id == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_stream(Waits::no, handle, [&](Gpu&, Context&, Stream* stream) {
    *id = is_legacy(stream) ? 7 : stream->id + 16;  // the legacy default stream has 7 (measured on an H100)
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamGetDevice(CUstream handle, CUdevice* device) {
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_stream(Waits::no, handle, [&](Gpu& of, Context&, Stream* stream) {
    *device = of.device_of(stream).ordinal;
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamGetCtx(CUstream handle, CUcontext* of) {
  if (of == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_stream(Waits::no, handle, [&](Gpu&, Context& context, Stream* stream) {
    *of = reinterpret_cast<CUcontext>(stream == nullptr ? &context : stream->context);
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamGetCtx_v2(CUstream handle, CUcontext* of, CUgreenCtx* green) {
  if (green != nullptr) *green = nullptr;
  return cuStreamGetCtx(handle, of);
}

CUresult cuStreamSetAttribute(CUstream handle, CUstreamAttrID which, const CUstreamAttrValue* value) {
  if (value == nullptr || !is_stream_attribute(which)) return invalid_argument();
  const bool is_policy =
      which != CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY ||
      (value->syncPolicy >= CU_SYNC_POLICY_AUTO && value->syncPolicy <= CU_SYNC_POLICY_BLOCKING_SYNC);
  if (!is_policy) return invalid_argument();
  return with_stream(Waits::no, handle, [&](Gpu&, Context&, Stream* stream) {
    if (stream == nullptr) return CUDA_SUCCESS;
    if (which == CU_LAUNCH_ATTRIBUTE_PRIORITY) {
      stream->priority = within_range(value->priority);
    } else {
      stream->attributes[which] = *value;
    }
    return CUDA_SUCCESS;
  });
}
CUresult cuStreamGetAttribute(CUstream handle, CUstreamAttrID which, CUstreamAttrValue* value) {
  if (value == nullptr || !is_stream_attribute(which)) return invalid_argument();
  return with_stream(Waits::no, handle, [&](Gpu&, Context&, Stream* stream) {
    std::memset(static_cast<void*>(value), 0, sizeof *value);
    if (stream == nullptr) return CUDA_SUCCESS;
    if (const auto set = stream->attributes.find(which); set != stream->attributes.end())
      *value = set->second;
    if (which == CU_LAUNCH_ATTRIBUTE_PRIORITY) value->priority = stream->priority;
    return CUDA_SUCCESS;
  });
}
CUresult cuStreamCopyAttributes(CUstream to, CUstream from) {
  int priority = 0;
  std::map<CUstreamAttrID, CUstreamAttrValue> attributes;
  const CUresult known = with_stream(Waits::no, from, [&](Gpu&, Context&, Stream* stream) {
    if (stream == nullptr) return CUDA_SUCCESS;
    priority = stream->priority;
    attributes = stream->attributes;
    return CUDA_SUCCESS;
  });
  if (known != CUDA_SUCCESS) return known;
  return with_stream(Waits::no, to, [&](Gpu&, Context&, Stream* stream) {
    if (stream == nullptr) return CUDA_SUCCESS;
    stream->priority = priority;
    stream->attributes = std::move(attributes);
    return CUDA_SUCCESS;
  });
}

// The program's own functions are called without the lock: they may use Python.
CUresult cuStreamAddCallback(CUstream handle, CUstreamCallback call, void* data, unsigned flags) {
  if (call == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  std::optional<InHostFunction> function;
  const CUresult known = with_place([&] {
    return with_stream(Waits::gives_work, handle, [&](Gpu& device, Context& context, Stream* stream) {
      if (defers_function(device, context, stream, [=] { call(handle, CUDA_SUCCESS, data); }))
        return CUDA_SUCCESS;
      function.emplace(device, stream);
      return CUDA_SUCCESS;
    });
  });
  if (known == CUDA_SUCCESS && function) call(handle, CUDA_SUCCESS, data);
  return known;
}

CUresult cuLaunchHostFunc(CUstream handle, CUhostFn call, void* data) {
  if (call == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::optional<InHostFunction> function;
  const CUresult known = with_place([&] {
    return with_stream(Waits::gives_node, handle, [&](Gpu& device, Context& context, Stream* stream) {
      if (is_captured(stream)) return capture_node(device, *stream, HostNode{call, data, nullptr});
      if (defers_function(device, context, stream, [=] { call(data); })) return CUDA_SUCCESS;
      function.emplace(device, stream);
      return CUDA_SUCCESS;
    });
  });
  if (known == CUDA_SUCCESS && function) call(data);
  return known;
}

CUresult cuStreamWriteValue32_v2(CUstream handle, CUdeviceptr address, cuuint32_t value, unsigned) {
  return write_value<uint32_t>(handle, address, value);
}
CUresult cuStreamWriteValue64_v2(CUstream handle, CUdeviceptr address, cuuint64_t value, unsigned) {
  return write_value<uint64_t>(handle, address, value);
}
CUresult cuStreamWaitValue32_v2(CUstream handle, CUdeviceptr address, cuuint32_t value, unsigned flags) {
  return wait_value<uint32_t, int32_t>(handle, address, value, flags);
}
CUresult cuStreamWaitValue64_v2(CUstream handle, CUdeviceptr address, cuuint64_t value, unsigned flags) {
  return wait_value<uint64_t, int64_t>(handle, address, value, flags);
}

CUresult cuEventCreate(CUevent* made, unsigned flags) {
  if (made == nullptr || (flags & ~7u) != 0) return invalid_argument();
  if ((flags & CU_EVENT_INTERPROCESS) != 0) {
    // Such an event has no time (cuda.h).
    if ((flags & CU_EVENT_DISABLE_TIMING) == 0) return invalid_argument();
    return gpu() == nullptr ? not_started() : CUDA_ERROR_NOT_SUPPORTED;
  }
  return with_context(Waits::no, [&](Gpu& device, Context& context) {
    auto event = std::make_unique<Event>();
    event->context = &context;
    event->flags = flags;
    *made = reinterpret_cast<CUevent>(device.events.add(std::move(event)));
    return CUDA_SUCCESS;
  });
}

CUresult cuEventDestroy_v2(CUevent handle) {
  if (handle == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  return with_gpu([&](Gpu& device) -> CUresult {
    return device.events.take(handle) == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
  });
}

CUresult cuEventRecordWithFlags(CUevent handle, CUstream stream_handle, unsigned flags) {
  if ((flags & ~unsigned{CU_EVENT_RECORD_EXTERNAL}) != 0) return invalid_argument();
  return with_event(Waits::no, handle, [&](Gpu& device, Context& context, Event& event) -> CUresult {
    CUresult error = CUDA_SUCCESS;
    Stream* stream = stream_of(device, context, stream_handle, error, Waits::gives_node);
    if (error != CUDA_SUCCESS) return error;
    const bool is_of_stream =
        stream != nullptr ? stream->context == event.context : &device.device_of(stream) == event.context->on;
    if (!is_of_stream) return CUDA_ERROR_INVALID_HANDLE;
    if (is_captured(stream)) return capture_record(device, *stream, event, flags);
    event.capture = 0;
    event.recorded = true;
    error = in_stream_order(device, context, stream, [=](Gpu& locked) {
      // Where the stream has nothing to do, the event is as late as what the program waited for.
      if (Event* recorded = locked.events.find(handle))
        recorded->at_us = locked.settings.modelled_clock
                              ? locked.device_of(stream).clock.run(stream, 0, Engine::kernels).end_us
                              : warplens::recording::now_us();
      return CUDA_SUCCESS;
    });
    record_order(device, stream, event);
    return error;
  });
}

CUresult cuEventRecord(CUevent handle, CUstream stream) { return cuEventRecordWithFlags(handle, stream, 0); }

CUresult cuEventQuery(CUevent handle) {
  if (handle == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  return with_event(Waits::yes, handle, [](Gpu& device, Context&, Event& event) {
    wait_for_event(device, event);  // the answer is that it is done
    return event_beside_captures(device, event);
  });
}

CUresult cuEventSynchronize(CUevent handle) {
  if (handle == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  const HostCall here;
  return with_event(Waits::yes, handle, [](Gpu& device, Context&, Event& event) -> CUresult {
    if (const CUresult error = event_beside_captures(device, event); error != CUDA_SUCCESS) return error;
    wait_for_event(device, event);
    if (event.recorded && device.settings.modelled_clock) event.context->on->clock.meet(event.at_us);
    return CUDA_SUCCESS;
  });
}

CUresult cuEventElapsedTime(float* ms, CUevent begin, CUevent end) {
  if (begin == nullptr || end == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (ms == nullptr) return invalid_value();
  const CUresult known = with_event(Waits::yes, begin, [&](Gpu& device, Context&, Event& first) -> CUresult {
    const Event* last = device.events.find(end);
    if (first.capture != 0 || (last != nullptr && last->capture != 0)) return CUDA_ERROR_CAPTURED_EVENT;
    if (last == nullptr || !first.recorded || !last->recorded) return CUDA_ERROR_INVALID_HANDLE;
    if (first.context->on != last->context->on)
      return device.refuse(CUDA_ERROR_INVALID_HANDLE,
                           "Two events of different devices: the time between them is not defined.");
    if (((first.flags | last->flags) & CU_EVENT_DISABLE_TIMING) != 0) return CUDA_ERROR_INVALID_HANDLE;
    wait_for_event(device, first);
    wait_for_event(device, *last);
    return CUDA_SUCCESS;
  });
  if (known != CUDA_SUCCESS) return known;
  return with_event(Waits::no, begin, [&](Gpu& device, Context&, Event& first) -> CUresult {
    const Event* last = device.events.find(end);
    if (last == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    *ms = static_cast<float>((last->at_us - first.at_us) / 1000);
    return CUDA_SUCCESS;
  });
}

CUresult cuEventElapsedTime_v2(float* ms, CUevent begin, CUevent end) {
  if (begin == nullptr || end == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  return cuEventElapsedTime(ms, begin, end);
}

}  // extern "C"
