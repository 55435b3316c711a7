// The longest chain of dependent instructions of each basic block, which warps wait for.
#pragma once

#include <array>
#include <cstdint>

#include "core/launch/instruction_mix.h"
#include "core/program/program.h"

namespace warplens {

using Chain = std::array<uint32_t, chain_links>;

// The links of the longest chain of one basic block, by usual latencies. The assembler may move an
// instruction up to where its operands are ready, except a load over a store to the same kind of memory. Each
// block starts a new chain.
Chain chain_of(const program::Program& program, const program::BasicBlock& block);

}  // namespace warplens
