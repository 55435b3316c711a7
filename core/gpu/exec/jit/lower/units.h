// The units that a target compiles: lowered, and through all passes.
#pragma once

#include <vector>

#include "core/gpu/exec/jit/ir/ir.h"
#include "core/gpu/exec/jit/passes/passes.h"
#include "core/gpu/exec/jit/runtime/target.h"

namespace warplens::exec::jit {

std::vector<Unit> units_of(const CompileRequest& request, LanesAt lanes);

// Where warps may begin a unit: with an op, at an instruction. A warp whose turn ended at the start of a
// basic block goes on behind that.
struct UnitEntry {
  uint32_t op = 0;
  size_t first = 0;
  size_t before =
      0;  // so many instructions from the unit's start on run first: what a loop reads in front of it
};
std::vector<UnitEntry> entries_of(const Unit& unit);

}  // namespace warplens::exec::jit
