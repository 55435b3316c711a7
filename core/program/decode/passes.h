// The passes over the finished ops of a function. Private to core/program.
#pragma once

#include <cstddef>
#include <vector>

#include "core/program/decode/emitter.h"

namespace warplens::program {

// Where each basic block of the function begins among the program's ops.
std::vector<size_t> block_starts(const Emitter& emitter);

// Puts ops in place of the blocks that branches name, and runs neighbours in one go: a comparison with the
// branch behind it, a branch with the block that it leads to.
void patch_branches(Emitter& emitter);

// Links neighbouring ops of a basic block: the second finds the first one's result in vector registers
// (Links). Where no other op reads it, it need not be written to the frame at all.
void link_ops(Emitter& emitter);

}  // namespace warplens::program
