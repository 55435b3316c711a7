#include "app/cli/shared/interrupt.h"

#include <chrono>

#include "core/base/system/between_frames.h"
#include "core/system/own_process.h"

namespace warplens {

InterruptGuard::InterruptGuard(std::stop_source stop) {
  hear_interrupts();
  // Requesting a stop runs callbacks and takes locks, which a signal handler must not do. So a thread watches
  // the flag. Where there are none, nothing can interrupt it either.
  auto watcher = try_thread([stop = std::move(stop)](std::stop_token end) mutable {
    while (!end.stop_requested()) {
      if (was_interrupted()) {
        stop.request_stop();
        return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
  if (watcher) m_watcher = *std::move(watcher);
}

InterruptGuard::~InterruptGuard() { leave_interrupts(); }

}  // namespace warplens
