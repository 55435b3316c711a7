// What warps wait for: the longest chain of dependent instructions of each basic block.
#pragma once

#include <array>
#include <cstdint>

#include "core/launch/instruction_mix.h"
#include "core/program/program.h"

namespace warplens {

using Chain = std::array<uint32_t, chain_links>;

// The links of the longest chain of one basic block, by usual latencies. The assembler may move an
// instruction up to where its operands are ready, except a load over a store to the same kind of memory.
// A chain begins anew in each block.
Chain chain_of(const program::Program& program, const program::BasicBlock& block);

}  // namespace warplens
