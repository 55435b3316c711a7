// One access of one thread, as it is stored in shadow memory.
#pragma once

#include <cstdint>

namespace warplens::sanitize {

// A point of time. It counts the events that order accesses: barriers, fences, releases (clocks.h).
using Time = uint32_t;

struct Access {
  Time time = 0;       // 0 if there is no access
  uint32_t block = 0;  // linear
  uint32_t info = 0;

  uint32_t thread() const { return info & 1023; }  // index in its block
  uint32_t warp() const { return thread() / 32; }
  // Whether the access is atomic, volatile, relaxed or similar. Two such accesses do not race, except for
  // updates (Place::updates).
  bool is_strong() const { return (info >> 10 & 1) != 0; }
  // Whether it belongs to an asynchronous copy that was not waited for. Nothing orders such an access.
  bool is_pending() const { return (info >> 11 & 1) != 0; }
  bool is_atomic() const { return (info >> 12 & 1) != 0; }
  uint32_t instruction() const { return info >> 16; }

  static uint32_t info_of(uint32_t instruction, uint32_t thread, bool strong, bool pending, bool atomic) {
    return (instruction < max_instruction ? instruction : max_instruction) << 16 |
           static_cast<uint32_t>(atomic) << 12 | static_cast<uint32_t>(pending) << 11 |
           static_cast<uint32_t>(strong) << 10 | thread;
  }
  static constexpr uint32_t max_instruction = 0xffff;  // used for all later instructions
};

}  // namespace warplens::sanitize
