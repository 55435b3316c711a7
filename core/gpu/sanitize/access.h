// One access of one thread as shadow memory remembers it.
#pragma once

#include <cstdint>

namespace warplens::sanitize {

// Points of time count what orders accesses: barriers, fences, releases (clocks.h).
using Time = uint32_t;

struct Access {
  Time time = 0;       // 0: none
  uint32_t block = 0;  // linear
  uint32_t info = 0;

  uint32_t thread() const { return info & 1023; }  // in its block
  uint32_t warp() const { return thread() / 32; }
  // Atomic, volatile, relaxed and the like: two such accesses do not race.
  bool is_strong() const { return (info >> 10 & 1) != 0; }
  // A copy in the background that has not been waited for: ordered with nothing.
  bool is_pending() const { return (info >> 11 & 1) != 0; }
  bool is_atomic() const { return (info >> 12 & 1) != 0; }
  uint32_t instruction() const { return info >> 16; }

  static uint32_t info_of(uint32_t instruction, uint32_t thread, bool strong, bool pending, bool atomic) {
    return (instruction < max_instruction ? instruction : max_instruction) << 16 |
           static_cast<uint32_t>(atomic) << 12 | static_cast<uint32_t>(pending) << 11 |
           static_cast<uint32_t>(strong) << 10 | thread;
  }
  static constexpr uint32_t max_instruction = 0xffff;  // "one of those behind"
};

}  // namespace warplens::sanitize
