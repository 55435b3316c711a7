// How long work on the device takes: CUDA's own events before and after it, on the stream that it is given to
// (CUDA driver API, Event Management; resolution about 0.5 µs).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "cuda/stand_in/driver/api.h"

namespace warplens::relay {

struct Timer {
  CUcontext context = nullptr;
  CUevent begin = nullptr, end = nullptr;
  double at_us = 0;  // by this machine's clock
};
struct Times {
  double begin_us = 0, device_us = 0;  // from the first timed work of this process on
};

class Timers {
 public:
  // Puts an event on the stream. Empty if there is no context, or if the stream is being captured.
  std::optional<Timer> begin(CUstream stream);
  void end(const Timer& timer, CUstream stream);
  // Whether the work is done, or will never be: its context has failed.
  static bool is_done(const Timer& timer);
  // The times of finished work; its events are used again. Empty if its context has failed.
  std::optional<Times> take(const Timer& timer);
  // Call it before the context is destroyed.
  void forget(CUcontext context);

 private:
  // The driver's times are floats in milliseconds, which are exact to microseconds for some seconds only;
  // after that a new base event is set. The base of a second context is placed by this machine's clock.
  struct OfContext {
    std::vector<CUevent> free;
    CUevent base = nullptr;
    double base_us = 0;
  };
  CUevent event_for(OfContext& of);

  std::map<CUcontext, OfContext> m_contexts;
  std::optional<double> m_first_us;
};

}  // namespace warplens::relay
