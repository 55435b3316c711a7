// The order of the machine instructions of a basic block.
#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu/timing/sm/code.h"

namespace warplens::sm {

struct Node {
  Instruction instruction;
  std::vector<uint32_t> reads = {}, writes = {};  // registers
};

// By list scheduling, with the latencies that ptxas counts on: of the nodes whose operands are there, the one
// with the longest chain after it. Accesses to one kind of memory stay behind its stores, and everything
// stays after a barrier.
std::vector<uint32_t> schedule_of(const std::vector<Node>& nodes, const Figures& figures);

}  // namespace warplens::sm
