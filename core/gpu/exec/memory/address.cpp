// Which space a generic address is in, PTX ISA 9.7.9.19.
#include "core/gpu/exec/state/memory.h"
#include "core/gpu/exec/state/routines.h"
#include "core/gpu/exec/state/warp.h"
#include "core/program/op/memory_op.h"

namespace warplens::exec {

const Op* run_is_space(const Op* op, Warp& warp) {
  const SpaceTestOp test = SpaceTestOp::of(*op);
  const uint64_t* address = warp.reg<uint64_t>(test.address);
  uint32_t inside = 0;
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
    const uint64_t at = address[lane];
    const bool in_a_window = at >= shared_window && at < constant_window + window_bytes;
    const bool is = test.window == 0 ? !in_a_window : at - test.window < window_bytes;
    inside |= static_cast<uint32_t>(is) << lane;
  }
  uint32_t& destination = warp.predicate(test.result);
  destination = (destination & ~warp.mask) | (inside & warp.mask);
  return op + 1;
}

}  // namespace warplens::exec
