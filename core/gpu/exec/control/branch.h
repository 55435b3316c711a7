// The start of a basic block and a branch, for those who run one right behind the other: a comparison is most
// often followed by a branch and a branch by the start of a block, and a call that the processor foresees is
// cheaper than three that it looks up.
#pragma once

#include "core/gpu/exec/state/warp.h"

namespace warplens::exec {

// Counts the basic block and takes its size off the warp's steps.
inline const Op* enter_block(const Op* op, Warp& warp) {
  if (op == warp.join_op) {
    warp.signal = Signal::arrive;
    return nullptr;
  }
  BlockCount& count = warp.block->counts[op->state];
  ++count.warps;
  count.threads += warp.active;
  warp.steps -= op->immediate;
  if (warp.steps < 0) {
    warp.next = op + 1;
    warp.signal = Signal::slice;
    return nullptr;
  }
  return op + 1;
}

inline const Op* follow_branch(const Op* op, Warp& warp) {
  uint32_t taken = warp.mask;
  if (op->flags & flag_guarded) {
    const uint32_t predicate = warp.predicate(op->a);
    taken &= op->flags & flag_negated ? ~predicate : predicate;
  }
  if (taken != warp.mask && taken != 0) {
    ++warp.block->block_divergences;
    ++warp.block->memory_ops[op->state].requests;  // of a branch: how often it diverged
    warp.next = op;
    warp.split_mask = taken;
    warp.signal = Signal::split;
    return nullptr;
  }
  const Op* next = op + (taken != 0 ? op->jump : 1);
  return op->flags & flag_chained ? enter_block(next, warp) : next;
}

}  // namespace warplens::exec
