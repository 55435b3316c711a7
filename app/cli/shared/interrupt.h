// Turns Ctrl-C into a stop request. No other file of the command line handles signals.
#pragma once

#include <stop_token>
#include <thread>

namespace warplens {

// While this object exists, the first Ctrl-C requests a stop, so that a run still ends with its report. A
// second one ends the program at once.
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
