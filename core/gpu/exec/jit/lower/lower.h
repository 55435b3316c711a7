// From the ops of a program to units of the IR.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "core/gpu/exec/jit/ir/ir.h"
#include "core/gpu/exec/jit/lower/special_rows.h"
#include "core/gpu/exec/jit/passes/passes.h"
#include "core/program/program.h"

namespace warplens::exec::jit {

// Which memory spaces have observers. Handlers run the accesses to these.
struct Listeners {
  bool global = false, shared = false;
};

struct LowerRequest {
  const program::Program* program = nullptr;
  Mode mode = program::all_lanes;
  bool live = false;  // as in CompileRequest
  LanesAt lanes = LanesAt::frame;
  Listeners listeners;
  FrameRows rows;               // what is known of the frame
  bool traced = false;          // instructions are noted
  std::set<uint32_t> followed;  // starts of blocks that may be lowered right after the only branch to them
};

// The units of one basic block, from its first op on: several if the interpreter runs an op in between, else
// one. Registers are read when they are first needed and written at once. If lanes stay in registers, a block
// that starts a loop is lowered together with the whole loop.
std::vector<Unit> lower(const LowerRequest& request, uint32_t start);

// The unit of a branch of whole warps whose lanes part there: both sides, and the block where they meet.
// Nothing if not all of the sides has code of its own (lower/divergent.h).
std::optional<Unit> lower_divergent(const LowerRequest& request, uint32_t branch);

// Whether an op that is no row can be lowered as a call of its handler: the op that follows it, else 0.
uint32_t behind_call(const program::Program& program, uint32_t at);

}  // namespace warplens::exec::jit
