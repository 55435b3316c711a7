// Instructions in which the lanes of a warp work together: shfl, vote, match, redux, activemask, elect and
// bar.warp.sync, PTX ISA 9.7.9.6 and 9.7.13. What one computes (combine) is apart from who takes part (meet).
//
// Lanes that name the same mask form a group. Its instruction runs when every lane of the mask that has not
// exited has come to an instruction of the same kind and mask, wherever in the program that is.
#pragma once

#include <array>
#include <cstdint>

#include "core/exec/warp.h"

namespace warplens::exec {

enum class Collective : uint8_t {
  shfl_up,
  shfl_down,
  shfl_bfly,
  shfl_idx,
  vote_all,
  vote_any,
  vote_uni,
  vote_ballot,
  match_any32,
  match_any64,
  match_all32,
  match_all64,
  redux_add,
  redux_min_unsigned,
  redux_min_signed,
  redux_max_unsigned,
  redux_max_signed,
  redux_and,
  redux_or,
  redux_xor,
  active_mask,
  elect,
  warp_sync
};

inline bool is_shuffle(Collective kind) { return kind <= Collective::shfl_idx; }

// Of an op: d destination, state destination of the predicate (both may be no_slot), a the value or the
// predicate (flag_negated), b and c of shfl, e the mask unless flag_constant says that `immediate` is it,
// extra the Collective. Forms without .sync have the mask 0: they wait for nobody.
inline Collective collective_of(const Op* op) { return static_cast<Collective>(op->extra); }

// One group at its instruction: what its lanes bring, and what they get.
struct Exchange {
  uint32_t lanes = 0;  // that take part
  std::array<uint64_t, warp_lanes> value{};
  std::array<uint32_t, warp_lanes> b{}, c{};
  uint32_t predicates = 0;
  std::array<uint32_t, warp_lanes> result{};
  uint32_t result_predicates = 0;
};

// PTX ISA 9.7.9.6: the lane that a shuffle with these b and c reads. A lane whose source is out of its
// segment reads itself.
struct ShuffleSource {
  uint32_t lane = 0;
  bool inside = false;
};
ShuffleSource shuffle_source(Collective kind, uint32_t lane, uint32_t b, uint32_t c);

void gather(const Op* op, const Warp& warp, uint32_t lanes, Exchange& exchange);
void combine(Collective kind, Exchange& exchange);
void scatter(const Op* op, Warp& warp, uint32_t lanes, const Exchange& exchange);

// Whether the warp's active lanes are all of one mask that nobody else is named in: then the instruction runs
// at once.
inline bool is_complete(const Op* op, const Warp& warp) {
  return (op->flags & flag_constant) != 0 &&
         (static_cast<uint32_t>(op->immediate) & warp.live & ~warp.mask) == 0;
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
