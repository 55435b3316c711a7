// The start of a basic block and a branch, inline for handlers that run them directly after their own op. A
// comparison is most often followed by a branch, and a branch by the start of a block. One call that the
// processor predicts is cheaper than three that it has to look up.
#pragma once

#include "core/gpu/exec/jit/compiled.h"
#include "core/gpu/exec/state/counters.h"
#include "core/gpu/exec/state/warp.h"
#include "core/program/op/flow_op.h"
#include "core/program/program.h"

namespace warplens::exec {

// Counts the basic block and subtracts its size from the warp's steps. If the block is compiled, the warp
// runs the compiled code until it reaches an op that is not compiled.
inline const Op* enter_block(const Op* op, Warp& warp) {
  CompiledProgram* const compiled = warp.block->code;
  if (compiled != nullptr) {
    if (const void* at = compiled->find(op, warp)) return compiled->run(at, warp);
  }
  if (op == warp.join_op) {
    warp.signal = Signal::arrive;
    return nullptr;
  }
  BlockCount& count = warp.block->counts[entered_block(*op)];
  ++count.warps;
  if (compiled != nullptr && count.warps % CompiledProgram::many_entries == 0)
    compiled->compile_hot({warp.block->counts, warp.block->program->flow.blocks.size()},
                          compiled->code_for(warp));
  count.threads += warp.active;
  warp.steps -= block_steps(*op);
  if (warp.steps < 0) {
    warp.next = op + 1;
    warp.signal = Signal::slice;
    return nullptr;
  }
  return op + 1;
}

inline const Op* follow_branch(const Op* op, Warp& warp) {
  uint32_t taken = warp.mask;
  if (is_guarded(*op)) taken &= taken_by(*op, warp.predicate(branch_predicate(*op)));
  if (taken != warp.mask && taken != 0) {
    ++warp.block->block_divergences;
    ++warp.block->memory_ops[branch_counter(*op)].requests;  // for a branch: how often it diverged
    warp.next = op;
    warp.split_mask = taken;
    warp.signal = Signal::split;
    return nullptr;
  }
  const Op* next = op + (taken != 0 ? branch_jump(*op) : 1);
  return op->flags & flag_chained ? enter_block(next, warp) : next;
}

}  // namespace warplens::exec
