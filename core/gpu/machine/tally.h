// What the workers counted, by instruction → the report's counters and their split over source lines.
#pragma once

#include <vector>

#include "core/gpu/exec/grid.h"
#include "core/launch/run_result.h"
#include "core/program/program.h"

namespace warplens {

// Adds one launch. Lines that are there already are added to.
void tally(const exec::GridOutcome& outcome, const program::Program& program, bool memory_counted,
           Counters& counters, InstructionMix& mix, std::vector<LineCounters>& lines);

}  // namespace warplens
