// The lane that a lane reads in a shuffle.
#pragma once

#include <cstdint>

#include "core/gpu/exec/state/warp.h"
#include "core/program/op/collective_op.h"

namespace warplens::exec {

// PTX ISA 9.7.9.6: the lane that a shuffle with these b and c reads. A lane whose source is outside of its
// segment reads itself.
struct ShuffleSource {
  uint32_t lane = 0;
  bool inside = false;
};
inline ShuffleSource shuffle_source(program::Collective kind, uint32_t lane, uint32_t b, uint32_t c) {
  b &= 31;
  const uint32_t clamp = c & 31, segment = c >> 8 & 31;
  const uint32_t last = (lane & segment) | (clamp & ~segment);
  uint32_t from = 0;
  bool inside = false;
  switch (kind) {
    case program::Collective::shfl_up:
      from = lane - b;
      inside = static_cast<int32_t>(from) >= static_cast<int32_t>(last);
      break;
    case program::Collective::shfl_down:
      from = lane + b;
      inside = from <= last;
      break;
    case program::Collective::shfl_bfly:
      from = lane ^ b;
      inside = from <= last;
      break;
    default:
      from = (lane & segment) | (b & ~segment);
      inside = from <= last;
      break;
  }
  return {(inside ? from : lane) & 31, inside};
}

}  // namespace warplens::exec
