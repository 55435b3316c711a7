// How the branches of a program become machine code: some are predicates, and some keep and join lanes.
#pragma once

#include <cstdint>
#include <vector>

#include "core/program/program.h"

namespace warplens::sm {

// By basic block.
struct Branches {
  std::vector<bool> meets;           // paths that parted come together at its start
  std::vector<bool> parts;           // lanes may part at its end
  std::vector<bool> skips;           // its branch is left out, since what it skips is predicated
  std::vector<uint32_t> predicated;  // skips: that block; else no_block
};
Branches branches_of(const program::Program& program);

}  // namespace warplens::sm
