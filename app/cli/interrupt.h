// Ctrl-C as a stop request. The one place of the command line that knows signals.
#pragma once

#include <stop_token>
#include <thread>

namespace warplens {

// While it lives, the first Ctrl-C requests a stop, so that a run ends with its report; a second one ends the
// program at once.
class InterruptGuard {
 public:
  explicit InterruptGuard(std::stop_source stop);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  std::jthread m_watcher;
};

}  // namespace warplens
