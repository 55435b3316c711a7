// One block forwards and backwards. The stepper belongs to the worker (app/worker/step_worker.h); this is
// what it last showed, as plain values.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/gpu/step/block_stepper.h"
#include "core/gpu/step/walk.h"
#include "core/launch/footprint.h"

namespace warplens {

// A value in the lanes of a warp: a variable of the source, or a register.
struct StepValue {
  std::string name, type;  // "half", "int"; "%r7", "s32"
  uint32_t set = 0;        // lanes that have a value
  uint32_t changed = 0;    // lanes whose value is another one than before the last move
  std::array<std::string, warp_lanes> lanes;
  // "512 in all lanes", "128 … 159", or why no lane has a value. Empty if the lanes are shown one by one.
  std::string folded;
};

// An array of the block's shared memory with its contents.
struct StepArray {
  stepping::SharedArray array;
  Bytes bytes;
};

// What there is to see at one position.
struct StepSnapshot {
  uint64_t position = 0, recorded = 0;
  std::optional<uint64_t> length;  // of the block, if it has run to its end
  stepping::End end = stepping::End::none;
  std::string message;                   // why the last move stopped, or why the block ended; may be empty
  std::optional<Incident> incident;      // for End::fault
  std::optional<TraceEntry> next, last;  // the instructions behind and before this position
  uint32_t line = 0, ptx_line = 0;       // of the next instruction of the shown warp, or of its last one
  std::string file;
  std::string instruction;  // its PTX
  uint32_t warp = 0;        // the shown one
  std::vector<stepping::WarpView> warps;
  std::vector<stepping::BarrierView> barriers;
  // Of the shown warp: the variables in scope, outermost first, and the registers that hold something.
  std::vector<StepValue> variables, registers;
  std::string no_variables;                      // why there are none; empty if there are
  std::shared_ptr<const LaunchRequest> stepped;  // what runs: the launch, compiled for its variables' names
  std::vector<StepArray> arrays;
  std::vector<stepping::SteppedAccess> accesses;  // of the last instruction
  BlockFootprint access;                          // the same to global and shared memory, with its counts
  std::shared_ptr<const stepping::Timeline> timeline;
};

// What there is to see at the stepper's position, with the values of this warp. `before` is what was shown
// until now, to tell what changed; null if nothing was.
StepSnapshot snapshot_of(const stepping::BlockStepper& stepper, uint32_t warp, const StepSnapshot* before);

enum class StepMoveKind : uint8_t {
  look,         // stay, and show `warp`
  line,         // to the warp's next line
  over,         // the same, past calls
  back_line,    // to where the warp came to this line or the one before
  instruction,  // the next one of any warp
  back_instruction,
  this_warp,  // the warp's next instruction, before any other's
  barrier,    // to the next one
  divergence,
  conflict,
  to_line,      // until the warp comes to line `value`
  to_position,  // `value`
  to_end,
  who_wrote  // back to behind the last write to `bytes` bytes at `address` of `space`
};
struct StepMove {
  StepMoveKind kind = StepMoveKind::look;
  uint32_t warp = 0;
  uint64_t value = 0;
  Space space = Space::shared;
  uint64_t address = 0, bytes = 4;
};

struct StepState {
  uint64_t run = 0;                              // serial of the run whose block is stepped; 0 if none is
  std::shared_ptr<const LaunchRequest> request;  // of that run
  Dim3 block{0, 0, 0};
  uint32_t lane = 0;            // of the shown warp
  uint64_t serial = 0;          // of this opening
  std::vector<StepMove> moves;  // asked for, and not yet given to the worker
  bool moving = false;          // the worker has not answered yet
  bool submitted = false;       // the worker knows of this opening
  bool playing = false;
  double lines_per_second = 4;
  double played_s = 0;                        // window's clock: the last line that was played
  std::shared_ptr<const StepSnapshot> shown;  // null until the block is open
  std::string error;                          // why it cannot be stepped
};

// Parts of the scrubber.
constexpr size_t timeline_parts = 1600;

struct AppState;
// The block that the Step view opens: the pinned one, else that of a fault or finding, else the first.
Dim3 block_to_step(const AppState& state);
// Whether the view has to open a block: none is open, or it is of another run, or another block is pinned.
bool step_is_due(const AppState& state);

}  // namespace warplens
