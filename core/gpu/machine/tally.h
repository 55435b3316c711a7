// Turns the workers' counts, which are by instruction, into the report's counters and their split over
// source lines.
#pragma once

#include <vector>

#include "core/gpu/exec/grid.h"
#include "core/launch/run_result.h"
#include "core/program/program.h"

namespace warplens {

// Adds the counts of one launch. Lines that already exist are increased.
void tally(const exec::GridOutcome& outcome, const program::Program& program, bool memory_counted,
           Counters& counters, InstructionMix& mix, std::vector<LineCounters>& lines);

}  // namespace warplens
