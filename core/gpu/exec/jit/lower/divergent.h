// Branches whose two sides are short, have no loops, and meet again: where the lanes of a whole warp part at
// one, both sides can be lowered one after the other, each for its lanes.
#pragma once

#include <cstdint>
#include <optional>

#include "core/program/program.h"

namespace warplens::exec::jit {

struct Divergent {
  uint32_t taken = 0, meet = 0;  // ops: where the branch goes to, and where both sides meet
  // What the sides take of the step budget at most, with those of branches in them.
  int64_t steps = 0;
};

// How deep such branches may lie in each other.
constexpr uint32_t most_divergent = 8;

// Nothing if it is no such branch.
std::optional<Divergent> divergent_at(const program::Program& program, uint32_t branch);

}  // namespace warplens::exec::jit
