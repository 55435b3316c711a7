// The units that a target compiles: lowered, and through all passes.
#pragma once

#include <utility>
#include <vector>

#include "core/gpu/exec/jit/ir/ir.h"
#include "core/gpu/exec/jit/runtime/target.h"

namespace warplens::exec::jit {

std::vector<Unit> units_of(const CompileRequest& request);

// Where warps may begin a unit: an op, and the instruction. A warp whose turn ended at the start of a basic
// block goes on behind that.
std::vector<std::pair<uint32_t, size_t>> entries_of(const Instruction& first, const Unit& unit);

}  // namespace warplens::exec::jit
