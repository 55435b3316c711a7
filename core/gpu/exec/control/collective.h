// Instructions in which the lanes of a warp work together: shfl, vote, match, redux, activemask, elect and
// bar.warp.sync, PTX ISA 9.7.9.6 and 9.7.13. What one computes (combine) is apart from who takes part (meet).
//
// Lanes that name the same mask form a group. Its instruction runs when every lane of the mask that has not
// exited has come to an instruction of the same kind and mask, wherever in the program that is.
#pragma once

#include <array>
#include <cstdint>

#include "core/gpu/exec/state/shuffle_source.h"
#include "core/gpu/exec/state/warp.h"
#include "core/program/op/collective_op.h"

namespace warplens::exec {

// One group at its instruction: what its lanes bring, and what they get.
struct Exchange {
  uint32_t lanes = 0;  // that take part
  std::array<uint64_t, warp_lanes> value{};
  std::array<uint32_t, warp_lanes> b{}, c{};
  uint32_t predicates = 0;
  std::array<uint32_t, warp_lanes> result{};
  uint32_t result_predicates = 0;
};

void gather(const Op* op, const Warp& warp, uint32_t lanes, Exchange& exchange);
void combine(Collective kind, Exchange& exchange);
void scatter(const Op* op, Warp& warp, uint32_t lanes, const Exchange& exchange);

// Whether the warp's active lanes are all of one mask that nobody else is named in: then the instruction runs
// at once.
inline bool is_complete(const Op* op, const Warp& warp) {
  return has_constant_mask(*op) && (constant_mask(*op) & warp.live & ~warp.mask) == 0;
}
// The lanes that a lane names.
inline uint32_t mask_of(const Op& op, const Warp& warp, uint32_t lane) {
  const CollectiveOp collective = CollectiveOp::of(op);
  return collective.mask_is_constant ? collective.mask : warp.reg<uint32_t>(collective.mask_slot)[lane];
}
// Everything else: several masks, a mask in a register, lanes that are still on their way.
const Op* meet(const Op* op, Warp& warp);

// Behind Signal::sync: the current path's lanes wait at warp.next, each group as a path of its own.
void wait_for_lanes(Warp& warp);
// Lets the groups go on that are complete now. Called when lanes arrive, and when some exit.
void complete_groups(Warp& warp);
// Nobody can run any more and some wait for lanes that cannot come.
void raise_missing_lanes(Warp& warp);

}  // namespace warplens::exec
