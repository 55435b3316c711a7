// The op of a barrier, PTX ISA 9.7.13.1.
#pragma once

#include <cstdint>

#include "core/program/op/op.h"

namespace warplens::program {

constexpr uint32_t barriers_per_block = 16;

enum class BarrierKind : uint8_t { sync, arrive, popc, all, any };
inline bool reduces(BarrierKind kind) { return kind >= BarrierKind::popc; }

struct BarrierOp {
  BarrierKind kind = BarrierKind::sync;
  bool aligned = false;        // all lanes of the warp must be at this very instruction
  bool are_constants = false;  // the PTX gives number and threads as numbers
  uint32_t number = 0;         // slot
  uint32_t threads = no_slot;  // slot; no_slot, or 0 at run time, for all threads of the block
  uint32_t predicate = 0;      // of bar.red: slot
  bool negated = false;        // the predicate
  uint32_t result = no_slot;   // of bar.red: slot of the count (popc) or of a predicate

  static BarrierOp of(const Op& op) {
    const auto kind = static_cast<BarrierKind>(op.extra);
    return {kind,
            (op.flags & flag_aligned) != 0,
            (op.flags & flag_constant) != 0,
            op.a,
            op.b,
            op.c,
            (op.flags & flag_negated) != 0,
            kind == BarrierKind::popc ? op.d : op.state};
  }
  void write(Op& op) const {
    op.extra = static_cast<uint8_t>(kind);
    if (aligned) op.flags |= flag_aligned;
    if (are_constants) op.flags |= flag_constant;
    op.a = number;
    op.b = threads;
    op.c = predicate;
    if (negated) op.flags |= flag_negated;
    op.d = kind == BarrierKind::popc ? result : no_slot;
    op.state = kind == BarrierKind::popc ? no_slot : result;
  }

 private:
  static constexpr uint16_t flag_aligned = 256;
};

}  // namespace warplens::program
