// Branches whose two sides are short, have no loops, and meet again: where the lanes of a whole warp part at
// one, both sides can be lowered one after the other, each for its lanes.
#pragma once

#include <cstdint>
#include <optional>

#include "core/program/program.h"

namespace warplens::exec::jit {

// How deep such branches may lie in each other.
constexpr uint32_t most_divergent = 8;

// What both sides take of the step budget at most, with those of branches in them. Nothing if it is no such
// branch.
std::optional<int64_t> steps_of_sides(const program::Program& program, uint32_t branch);

}  // namespace warplens::exec::jit
