// The steps of a launch, which its workers share, and how long the launch may go on without them: a launch
// whose blocks end is not endless.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace warplens::exec {

class StepBudget {
 public:
  using Clock = std::chrono::steady_clock;

  void give(uint64_t steps) { m_left = static_cast<int64_t>(std::min<uint64_t>(steps, INT64_MAX)); }
  void take(int64_t steps) { m_left.fetch_sub(steps, std::memory_order_relaxed); }
  bool is_left() const { return m_left.load(std::memory_order_relaxed) >= 0; }

  // For a budget that is used up. Whether less than `patience` has passed since a block ended, or since the
  // first worker that asked.
  bool may_go_on(Clock::time_point now, Clock::duration patience) {
    Clock::time_point since{};
    if (m_since.compare_exchange_strong(since, now)) since = now;
    return now - since < patience;
  }
  void note_end_of_block(Clock::time_point now) { m_since = now; }

 private:
  std::atomic<int64_t> m_left{0};
  std::atomic<Clock::time_point> m_since{};
};

}  // namespace warplens::exec
