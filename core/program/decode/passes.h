// The passes over the finished ops of a function. Private to core/program.
#pragma once

#include <cstddef>
#include <vector>

#include "core/program/decode/emitter.h"

namespace warplens::program {

// The index of the first op of each basic block of the function.
std::vector<size_t> block_starts(const Emitter& emitter);

// Replaces the block numbers in branches by ops, and fuses neighbours: a comparison with the branch after it,
// and a branch with the block at its target.
void patch_branches(Emitter& emitter);

// Marks results that are not read after their basic block (flag_dead_out): machine code need not write them
// to the frame.
void mark_dead_results(Emitter& emitter);

}  // namespace warplens::program
