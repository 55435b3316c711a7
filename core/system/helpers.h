// Threads that help with work which its caller can also do alone, such as the blocks of a launch. They are
// made when first asked for, all callers share them, and they end after a while without work. A forked
// process has none at first.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

namespace warplens {

class Help {
 public:
  // Asks up to `most` other threads to call `part`, which may throw nothing. It takes a while until they do,
  // and there may be fewer of them, or none.
  Help(uint32_t most, std::function<void()> part);
  // From now on none begins; waits for those that have begun.
  ~Help();
  Help(const Help&) = delete;
  Help& operator=(const Help&) = delete;

 private:
  friend struct Helpers;
  struct Helpers& m_helpers;
  const std::function<void()> m_part;
  uint32_t m_open;                    // threads that may still begin
  std::atomic<uint32_t> m_inside{0};  // threads that have begun and not ended
};

}  // namespace warplens
