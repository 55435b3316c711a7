// From the ops of a program to units of the IR.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "core/gpu/exec/jit/ir/ir.h"
#include "core/gpu/exec/jit/lower/special_rows.h"
#include "core/gpu/exec/jit/passes/passes.h"
#include "core/program/program.h"

namespace warplens::exec::jit {

// Who looks at the run, as far as the IR says something of it: whose accesses handlers make.
struct Listeners {
  bool global = false, shared = false;
};

struct LowerRequest {
  const program::Program* program = nullptr;
  Mode mode = program::all_lanes;
  LanesAt lanes = LanesAt::frame;
  Listeners listeners;
  FrameRows rows;               // what is known of the frame
  bool traced = false;          // instructions are noted
  std::set<uint32_t> followed;  // starts of blocks that may be lowered behind the only branch to them
};

// The units of one basic block, from its first op on: one, or several where the interpreter runs something
// between. Registers are read where they are needed first and written at once. Where lanes stay in registers,
// a block that starts a loop is lowered with all of it.
std::vector<Unit> lower(const LowerRequest& request, uint32_t start);

// The code for an op that is no row: what is behind it, where a handler can be called; else 0.
uint32_t behind_call(const program::Program& program, uint32_t at);

}  // namespace warplens::exec::jit
