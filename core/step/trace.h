// The warp instructions of a run, in the order in which they ran: one plain value each.
//
// What a value does not hold (addresses, registers) is what the block holds at that point: BlockStepper goes
// there. docs/stepping.md says what is recorded, and how much of it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/backend/footprint.h"
#include "core/base/dim3.h"
#include "core/ir/program.h"

namespace warplens {

struct TraceEntry {
  uint32_t instruction = 0;  // of the program, numbered through
  uint32_t active = 0;       // lanes of the path
  uint32_t executed = 0;     // of those, where the instruction's guard holds
  uint16_t warp = 0;         // in its block
  uint8_t bytes = 0;         // of a lane's memory access; 0: none
  Space space = Space::generic;
  bool operator==(const TraceEntry&) const = default;
};

// One block. It may have ended with a fault.
struct BlockTrace {
  uint32_t launch = 0;  // in Trace::launches
  uint64_t block = 0;   // its number in the grid, x fastest
  std::vector<TraceEntry> entries;
  bool complete = false;  // all of it that ran is here
};

struct TracedLaunch {
  std::shared_ptr<const ir::Program> program;
  std::string entry;
  Dim3 grid, block;
};

struct Trace {
  std::vector<TracedLaunch> launches;
  std::vector<BlockTrace> blocks;  // in the order in which they started
  uint64_t instructions = 0;       // of all blocks
  bool complete = false;           // so are all blocks
};

// About 16 MB.
constexpr uint64_t default_trace_limit = uint64_t{1} << 20;

}  // namespace warplens
