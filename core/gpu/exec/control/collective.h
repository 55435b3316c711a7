// Instructions in which the lanes of a warp work together: shfl, vote, match, redux, activemask, elect and
// bar.warp.sync, PTX ISA 9.7.9.6 and 9.7.13. Here is the choice of the lanes that take part (meet). What they
// compute is in core/gpu/exec/state/exchange.h.
//
// Lanes that name the same mask form a group. The group's instruction runs when every lane of the mask that
// has not exited has reached an instruction of the same kind and mask, anywhere in the program.
#pragma once

#include <cstdint>

#include "core/gpu/exec/state/exchange.h"
#include "core/gpu/exec/state/warp.h"
#include "core/program/op/collective_op.h"

namespace warplens::exec {

// Whether all active lanes of the warp name the same mask, and the mask names no other lane. Then the
// instruction runs at once.
inline bool is_complete(const Op* op, const Warp& warp) {
  return has_constant_mask(*op) && (constant_mask(*op) & warp.live & ~warp.mask) == 0;
}
// The mask that a lane names.
inline uint32_t mask_of(const Op& op, const Warp& warp, uint32_t lane) {
  const CollectiveOp collective = CollectiveOp::of(op);
  return collective.mask_is_constant ? collective.mask : warp.reg<uint32_t>(collective.mask_slot)[lane];
}
// All other cases: several masks, a mask in a register, lanes that have not arrived yet.
const Op* meet(const Op* op, Warp& warp);

// Called after Signal::sync: the current path's lanes wait at warp.next, each group as its own path.
void wait_for_lanes(Warp& warp);
// Lets all groups that are complete now continue. Called when lanes arrive, and when some exit.
void complete_groups(Warp& warp);
// Called when no lane can run any more and some wait for lanes that cannot arrive.
void raise_missing_lanes(Warp& warp);

}  // namespace warplens::exec
