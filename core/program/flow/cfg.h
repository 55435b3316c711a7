// The control-flow graph of one function: basic blocks, their successors, and where diverged paths
// reconverge.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ptx/tree.h"

namespace warplens::program {

constexpr uint32_t no_block = 0xffffffff;

// Instructions [first, first + count) of the function. A block ends at a branch, an exit, a barrier or a
// call, or before a label that is a branch target.
struct BasicBlock {
  uint32_t first = 0, count = 0;
  std::vector<uint32_t> successors;
  // The nearest block on every path from here to the end of the function; no_block if the paths only meet at
  // its end.
  uint32_t post_dominator = no_block;
};

struct ControlFlow {
  std::vector<BasicBlock> blocks;  // blocks[0] is the entry
  std::vector<uint32_t> block_of;  // per instruction
  std::vector<bool> reachable;     // per block
};

ControlFlow control_flow_of(const ptx::Function& function);

// Whether a branch goes backwards, so that the number of executed instructions may depend on data.
bool has_loop(const ControlFlow& flow);

// bar and barrier, but not bar.warp.sync.
bool is_block_barrier(const ptx::Function& function, const ptx::Instruction& instruction);
// Whether the lanes of a warp work together in it, as in shuffles, votes and bar.warp.sync.
bool is_collective(const ptx::Function& function, const ptx::Instruction& instruction);
// Arithmetic, conversions and moves: the result depends only on values of the same lane, and there is no
// other effect.
bool only_computes(ptx::Opcode opcode);

}  // namespace warplens::program
