// Which registers may be read before they are written.
#pragma once

#include <cstdint>
#include <vector>

#include "core/program/flow/cfg.h"
#include "core/ptx/tree.h"

namespace warplens::program {

// Registers that an instruction reads and writes. A guarded write counts as a read too: it keeps the old
// value of the lanes whose guard is false.
struct Uses {
  std::vector<uint32_t> reads, writes;
};
Uses uses_of(const ptx::Function& function, const ptx::Instruction& instruction);

// For each basic block, a bit for each register: whether it is live at the block's start. Empty if the
// function is too large to analyse.
std::vector<std::vector<uint64_t>> live_at_starts(const ptx::Function& function, const ControlFlow& flow);

// Registers whose first use on some path from the entry is a read.
std::vector<uint32_t> maybe_uninitialised(const ptx::Function& function,
                                          const std::vector<std::vector<uint64_t>>& live_at_starts);

}  // namespace warplens::program
