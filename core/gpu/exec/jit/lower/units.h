// The units that a target compiles: lowered, and through all passes.
#pragma once

#include <vector>

#include "core/gpu/exec/jit/ir/ir.h"
#include "core/gpu/exec/jit/passes/passes.h"
#include "core/gpu/exec/jit/runtime/target.h"

namespace warplens::exec::jit {

std::vector<Unit> units_of(const CompileRequest& request, LanesAt lanes);

// A place where warps may enter a unit: the op, and the instruction. A warp whose turn ended at the start of
// a basic block continues after that start.
struct UnitEntry {
  uint32_t op = 0;
  size_t first = 0;
  size_t before = 0;  // this many first instructions of the unit run before it: the reads before a loop
};
std::vector<UnitEntry> entries_of(const Unit& unit);

}  // namespace warplens::exec::jit
