#include "cuda/stand_in/relay/state/timers.h"

#include "core/recording/journal.h"
#include "cuda/stand_in/relay/next.h"

namespace warplens::relay {

namespace {

// After this time a new base event is set.
constexpr float most_ms_from_base = 4000;

bool is_captured(CUstream stream) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  if (!has_next(warplens_next_cuStreamIsCapturing)) return false;
  return NEXT(cuStreamIsCapturing)(stream, &status) != CUDA_SUCCESS ||
         status != CU_STREAM_CAPTURE_STATUS_NONE;
}

}  // namespace

CUevent Timers::event_for(OfContext& of) {
  CUevent made = nullptr;
  if (!of.free.empty()) {
    made = of.free.back();
    of.free.pop_back();
  } else if (NEXT(cuEventCreate)(&made, CU_EVENT_DEFAULT) != CUDA_SUCCESS) {
    return nullptr;
  }
  return made;
}

std::optional<Timer> Timers::begin(CUstream stream) {
  CUcontext context = nullptr;
  if (NEXT(cuCtxGetCurrent)(&context) != CUDA_SUCCESS || context == nullptr || is_captured(stream))
    return std::nullopt;
  OfContext& of = m_contexts[context];
  Timer timer{context, event_for(of), event_for(of), recording::now_us()};
  if (!m_first_us) m_first_us = timer.at_us;
  if (timer.begin != nullptr && timer.end != nullptr &&
      NEXT(cuEventRecord)(timer.begin, stream) == CUDA_SUCCESS)
    return timer;
  for (CUevent event : {timer.begin, timer.end})
    if (event != nullptr) of.free.push_back(event);
  return std::nullopt;
}

void Timers::end(const Timer& timer, CUstream stream) { NEXT(cuEventRecord)(timer.end, stream); }

bool Timers::is_done(const Timer& timer) { return NEXT(cuEventQuery)(timer.end) != CUDA_ERROR_NOT_READY; }

std::optional<Times> Timers::take(const Timer& timer) {
  const auto at = m_contexts.find(timer.context);
  if (at == m_contexts.end()) return std::nullopt;
  OfContext& of = at->second;
  if (of.base == nullptr) {
    of.base = timer.begin;
    of.base_us = timer.at_us - m_first_us.value_or(timer.at_us);
  }
  float from_base = 0, ms = 0;
  bool known = NEXT(cuEventElapsedTime)(&ms, timer.begin, timer.end) == CUDA_SUCCESS;
  if (timer.begin != of.base)
    known = NEXT(cuEventElapsedTime)(&from_base, of.base, timer.begin) == CUDA_SUCCESS && known;
  const Times times{of.base_us + double(from_base) * 1000, double(ms) * 1000};
  if (known && from_base > most_ms_from_base) {
    of.free.push_back(of.base);
    of.base = timer.begin;
    of.base_us = times.begin_us;
  } else if (timer.begin != of.base) {
    of.free.push_back(timer.begin);
  }
  of.free.push_back(timer.end);
  return known ? std::optional(times) : std::nullopt;
}

void Timers::forget(CUcontext context) { m_contexts.erase(context); }

}  // namespace warplens::relay
