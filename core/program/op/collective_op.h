// The instructions in which the lanes of a warp work together, as decode writes them and core/gpu/exec runs
// them.
#pragma once

#include <cstdint>

#include "core/program/op/op.h"

namespace warplens::program {

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

}  // namespace warplens::program
