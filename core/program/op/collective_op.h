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

inline Collective collective_of(const Op& op) { return static_cast<Collective>(op.extra); }

// For the usual case, lanes of one path. The fields are read one by one, for speed.
inline bool has_constant_mask(const Op& op) { return (op.flags & flag_constant) != 0; }
inline uint32_t constant_mask(const Op& op) { return static_cast<uint32_t>(op.immediate); }
inline uint32_t collective_value(const Op& op) { return op.a; }
inline uint32_t collective_result(const Op& op) { return op.d; }
inline uint32_t collective_predicate(const Op& op) { return op.state; }
inline uint32_t shuffle_b(const Op& op) { return op.b; }
inline uint32_t shuffle_c(const Op& op) { return op.c; }

struct CollectiveOp {
  Collective kind{};
  uint32_t result = no_slot;            // slot, 32 bits a lane
  uint32_t result_predicate = no_slot;  // slot
  uint32_t value = 0;                   // slot; for a vote, that of the predicate
  bool negated = false;                 // the predicate
  uint32_t b = 0, c = 0;                // of shfl: slots
  // The mask of lanes that come together: a constant, or a value for each lane. Forms without .sync have the
  // constant 0: they do not wait.
  bool mask_is_constant = true;
  uint32_t mask = 0;
  uint32_t mask_slot = 0;

  static CollectiveOp of(const Op& op) {
    return {collective_of(op),
            collective_result(op),
            collective_predicate(op),
            collective_value(op),
            (op.flags & flag_negated) != 0,
            shuffle_b(op),
            shuffle_c(op),
            has_constant_mask(op),
            constant_mask(op),
            op.e};
  }
  void write(Op& op) const {
    op.extra = static_cast<uint8_t>(kind);
    op.d = result;
    op.state = result_predicate;
    op.a = value;
    if (negated) op.flags |= flag_negated;
    op.b = b;
    op.c = c;
    if (mask_is_constant) op.flags |= flag_constant;
    op.immediate = mask;
    op.e = mask_slot;
  }
  bool waits() const { return !mask_is_constant || mask != 0; }
};

}  // namespace warplens::program
