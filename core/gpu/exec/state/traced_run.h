// A run of instructions in a trace, as a plain value.
#pragma once

#include <cstdint>

#include "core/launch/footprint.h"

namespace warplens::exec {

// Instructions with consecutive numbers that a warp ran one after the other. Only the last of them may have a
// guard or access memory. The members are not initialised, since a log has room for many.
struct TracedRun {
  static constexpr uint32_t warp_bits = 5, most_instructions = 1u << 11;

  uint32_t first;     // number of the first instruction
  uint32_t active;    // active lanes of the path
  uint32_t executed;  // for the last one: active lanes whose guard is true; the others run in all of them
  uint16_t warp_and_count;
  uint8_t bytes;  // size of a lane's memory access by the last one; 0: it has none
  Space space;

  uint32_t warp() const { return warp_and_count & ((1u << warp_bits) - 1); }
  uint32_t count() const { return (warp_and_count >> warp_bits) + 1u; }
  static uint16_t pack(uint32_t warp, uint32_t count) {
    return static_cast<uint16_t>(warp | (count - 1) << warp_bits);
  }
};
static_assert(sizeof(TracedRun) == 16);

}  // namespace warplens::exec
