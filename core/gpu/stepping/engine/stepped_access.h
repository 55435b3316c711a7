// What a stepped block did in an instruction, and why nothing more can run, as plain values.
#pragma once

#include <array>
#include <cstdint>

#include "core/launch/footprint.h"

namespace warplens::stepping {

// A memory access of one warp instruction.
struct SteppedAccess {
  Space space = Space::global;
  AccessKind kind = AccessKind::load;
  uint32_t lanes = 0;
  uint32_t bytes = 0;                          // of a lane
  std::array<uint64_t, warp_lanes> address{};  // offsets in shared and local memory; 0 for other lanes
};

enum class End : uint8_t {
  none,
  finished,
  fault,
  waits,     // for other blocks: its state repeats forever
  no_memory  // this machine's memory ran out in an instruction; going back is possible
};

}  // namespace warplens::stepping
