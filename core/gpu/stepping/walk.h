// Ways to move through a stepped block: back by a line, to the next divergence, to the write that set a
// value. Also a timeline of the block, for a scrubber.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/gpu/stepping/block_stepper.h"

namespace warplens::stepping {

// Goes back to where this warp arrived at its current line, or, if it is already there, at the line before.
// At the block's start it does not move.
Stop back_by_line(BlockStepper& stepper, uint32_t warp);

enum class Seek : uint8_t {
  divergence,  // before an instruction that only some lanes of the warp's last path run
  barrier,     // before a barrier instruction of the block
  conflict,    // after an access to shared memory with bank conflicts
};
// Runs forward to the next one after the current position, in any warp. Breakpoints stop it. If there is
// none, it ends at the block's end.
Stop seek(BlockStepper& stepper, Seek what, const std::stop_token& stop = {});

// Goes back to the position after the last write to these bytes before the current position; if that is the
// current position, to the write before it. Empty, and nothing moves, if there is none. `space` is global or
// shared.
std::optional<Stop> seek_write(BlockStepper& stepper, Space space, uint64_t address, uint64_t bytes,
                               const std::stop_token& stop = {});

// Goes back to the last place before the current position where a breakpoint or watchpoint stops. Empty, and
// nothing moves, if there is none.
std::optional<Stop> back_to_stop(BlockStepper& stepper, const std::stop_token& stop = {});
// The positions in the recording where breakpoints and watchpoints stop, at most `most`. Afterwards the
// stepper is where it was.
std::vector<uint64_t> stops_of(BlockStepper& stepper, size_t most, const std::stop_token& stop = {});
// Runs forward to the position after the next write to these bytes. Breakpoints stop it too.
Stop seek_next_write(BlockStepper& stepper, Space space, uint64_t address, uint64_t bytes,
                     const std::stop_token& stop = {});

// The accesses of the instruction before this position to global and shared memory, as the footprint of a
// block has them: with their buffer, sectors and wavefronts.
BlockFootprint footprint_of(const BlockStepper& stepper);

// What happened in a part of the recording.
struct TimelineMark {
  enum class Kind : uint8_t { barrier, divergence } kind = Kind::barrier;
  uint64_t position = 0;
};
struct Timeline {
  uint64_t length = 0;              // instructions of the recording
  std::vector<float> active;        // mean active lanes of the instructions in each of equal parts, 0 to 32
  std::vector<TimelineMark> marks;  // by position; at most the first of each kind in a part
};
// The timeline of the recording so far, in at most `parts` parts.
Timeline timeline_of(const BlockStepper& stepper, size_t parts);

}  // namespace warplens::stepping
