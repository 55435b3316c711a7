#include "core/gpu/timing/sm/branches.h"

#include <algorithm>

#include "core/gpu/timing/sm/classify.h"

namespace warplens::sm {
namespace {

using ptx::Opcode;

// What ptxas predicates in place of a branch around it.
constexpr uint32_t most_predicated = 7;

bool can_be_predicated(const program::Program& program, const program::BasicBlock& block) {
  if (block.count > most_predicated || block.successors.size() != 1) return false;
  for (uint32_t n = block.first; n < block.first + block.count; ++n) {
    const ptx::Function& f = *program.code_of(n).function;
    const ptx::Instruction& i = program.instruction(n);
    if (program::is_block_barrier(f, i) || is_exit(i.opcode) || i.opcode == Opcode::call) return false;
    if (i.opcode == Opcode::bra && i.guarded) return false;
  }
  return true;
}

// Of each block in a loop: the first block from it on that leads back to it or to one before. A branch to one
// behind that leaves a loop.
std::vector<uint32_t> ends_of_loops(const std::vector<program::BasicBlock>& blocks) {
  std::vector<uint32_t> ends(blocks.size(), program::no_block);
  for (uint32_t n = 0; n < blocks.size(); ++n)
    for (const uint32_t head : blocks[n].successors)
      for (uint32_t inside = head; inside <= n; ++inside) ends[inside] = std::min(ends[inside], n);
  return ends;
}

}  // namespace

Branches branches_of(const program::Program& program) {
  const std::vector<program::BasicBlock>& blocks = program.flow.blocks;
  Branches all{std::vector<bool>(blocks.size()), std::vector<bool>(blocks.size()),
               std::vector<bool>(blocks.size()), std::vector<uint32_t>(blocks.size(), program::no_block)};
  const std::vector<uint32_t> ends = ends_of_loops(blocks);
  for (size_t b = 0; b < blocks.size(); ++b) {
    const program::BasicBlock& block = blocks[b];
    if (block.count == 0 || block.successors.size() != 2 || block.post_dominator == program::no_block)
      continue;
    const uint32_t to = block.post_dominator;
    if (to <= b) continue;  // the end of a loop
    if (ends[b] < to) {
      all.meets[to] = true;
      continue;
    }
    // A branch to the end of the kernel is an exit under a condition.
    const program::BasicBlock& end = blocks[to];
    if (end.count == 1 && is_exit(program.instruction(end.first).opcode)) continue;
    const uint32_t other = block.successors[0] == to ? block.successors[1] : block.successors[0];
    const bool around = block.successors[0] == to || block.successors[1] == to;
    if (around && can_be_predicated(program, blocks[other]) && blocks[other].successors[0] == to) {
      all.skips[b] = true;
      all.predicated[b] = other;
    } else {
      all.parts[b] = all.meets[to] = true;
    }
  }
  return all;
}

}  // namespace warplens::sm
