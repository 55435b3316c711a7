// One block forwards and backwards. The stepper belongs to the worker (app/worker/step_worker.h); this is
// what it last showed, as plain values.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/state/parts/selection.h"
#include "core/gpu/stepping/access_log.h"
#include "core/gpu/stepping/block_stepper.h"
#include "core/gpu/stepping/two_orders.h"
#include "core/gpu/stepping/walk.h"
#include "core/job/named_variables.h"
#include "core/launch/footprint.h"
#include "core/launch/run_result.h"

namespace warplens {

// A value in the lanes of a warp: a variable of the source, or a register.
struct StepValue {
  std::string name, type;  // "half", "int"; "%r7", "s32"
  std::string path;        // which it is among all rows: "p", "p/x", "p/[3]"
  uint32_t depth = 0;      // of a part
  bool opens = false, open = false;
  uint32_t set = 0;      // lanes that have a value
  uint32_t not_set = 0;  // lanes in which nothing has been assigned to it yet
  uint32_t changed = 0;  // lanes whose value is another one than before the last move
  std::array<std::string, warp_lanes> lanes;
  // "512 in all lanes", "128 … 159", or why no lane has a value. Empty if the lanes are shown one by one.
  std::string folded;
};

// An array of the block's shared memory with its contents.
struct StepArray {
  stepping::SharedArray array;
  Bytes bytes;
  std::vector<uint8_t> writers;  // per byte: the warp that wrote it last + 1; 0 if none is known
};

// A breakpoint on a line of a source. It stays while other blocks and other runs are stepped.
struct StepBreakpoint {
  std::string file;  // the source's name: "reduce_shared.cu"
  uint32_t line = 0;
  std::string condition;  // for a lane: "i == 17"; empty for none
  bool operator==(const StepBreakpoint&) const = default;
};

// A frame of the call stack of a lane: 0 for the innermost one. It is shown until the block moves.
struct StepFrame {
  uint32_t lane = 0, number = 0;
  bool operator==(const StepFrame&) const = default;
};

// What else to show, apart from position and warp.
struct StepWants {
  std::vector<StepBreakpoint> breakpoints;
  std::vector<std::string> open;  // paths of values whose parts are shown
  StepFrame frame;                // whose variables are shown
  bool operator==(const StepWants&) const = default;
};

// Which launch of the request, after which blocks, in which order.
struct StepChoice {
  uint32_t launch = 0;
  bool earlier_blocks = false;
  uint64_t seed = 0;  // of the order of warps and paths; 0 for the ordinary one
  bool operator==(const StepChoice&) const = default;
};

// Bytes whose writes are looked for.
struct StepTarget {
  Space space = Space::shared;
  uint64_t address = 0, bytes = 4;
  std::string name;  // "sums[161]"
  bool operator==(const StepTarget&) const = default;
};

// The data that views show at one position.
struct StepSnapshot {
  uint64_t position = 0, recorded = 0;
  std::optional<uint64_t> length;  // of the block, if it has run to its end
  stepping::End end = stepping::End::none;
  std::string message;                   // why the last move stopped, or why the block ended; may be empty
  std::optional<Incident> incident;      // for End::fault
  std::optional<TraceEntry> next, last;  // the instructions after and before this position
  uint32_t line = 0, ptx_line = 0;       // of the next instruction of the shown warp, or of its last one
  std::string file;
  std::string instruction;  // its PTX
  uint32_t warp = 0;        // the shown one
  std::vector<stepping::WarpView> warps;
  std::vector<stepping::BarrierView> barriers;
  std::vector<stepping::StackView> stacks;  // of the shown warp
  // The frame whose variables these are; none where each lane's innermost function is shown.
  std::optional<stepping::FrameView> frame;
  // For the shown warp: the variables in scope, outermost first, and the registers that were written.
  std::vector<StepValue> variables, registers;
  std::string no_variables;                      // why there are none; empty if there are
  std::shared_ptr<const LaunchRequest> stepped;  // what runs: the launch, compiled for its variables' names
  std::vector<StepArray> arrays;
  std::vector<stepping::SteppedAccess> accesses;  // of the last instruction
  BlockFootprint access;  // the last access of the move to global and shared memory, with its counts
  std::vector<stepping::LoggedAccess> touched;  // by the last move, of all warps; the last ones if many
  std::vector<stepping::NamedArray> named;      // what addresses belong to
  std::shared_ptr<const stepping::Timeline> timeline;
  std::vector<std::pair<uint64_t, std::string>> incidents;  // where findings and faults of the block happen
  std::shared_ptr<const stepping::AccessLog>
      log;  // what the shown warp does in the whole block; null until it is made
  std::vector<std::pair<StepBreakpoint, std::string>>
      breakpoints;                                     // with what is wrong with it; empty if nothing
  std::shared_ptr<const std::vector<uint64_t>> stops;  // where they stop; null until that is known
  std::shared_ptr<const stepping::TwoOrders> orders;   // of the race that was opened
  std::string no_orders;                               // why a race has no second order
  std::optional<Agreement> agreement;                  // known after the first look ahead
};

// The data that views show at the stepper's position, with the values of this warp. `before` is what was
// shown until now, to tell what changed; null if nothing was.
StepSnapshot snapshot_of(const stepping::BlockStepper& stepper, uint32_t warp, const StepSnapshot* before,
                         const StepWants& wants = {});
// Notes what was accessed on the way from position `from` to where the stepper is. Of long ways, only the
// last instruction.
void note_touched(StepSnapshot& shot, stepping::BlockStepper& stepper, uint64_t from);
constexpr size_t most_parts = 256;  // rows of variables and their parts

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
  who_wrote,    // back to just after the last write to `bytes` bytes at `address` of `space`
  next_write,   // forward to just after the next one
  next_stop,    // to the next breakpoint
  last_stop,    // back to the breakpoint before
  first_order,  // of a race: the order in which the block runs
  other_order   // the other one
};
struct StepMove {
  StepMoveKind kind = StepMoveKind::look;
  uint32_t warp = 0;
  uint64_t value = 0;
  Space space = Space::shared;
  uint64_t address = 0, bytes = 4;
  std::string buffer = {};  // not empty: `address` counts from this buffer's start
};

struct StepState {
  uint64_t run = 0;                              // serial of the run whose block is stepped; 0 if none is
  std::shared_ptr<const LaunchRequest> request;  // of that run
  Dim3 block{0, 0, 0};
  StepChoice choice;
  StepWants wants, told;             // what is wanted, and what the worker knows of that
  std::optional<Incident> race;      // whose two orders are shown
  std::optional<StepTarget> target;  // a chosen cell; see step_target()
  uint32_t lane = 0;                 // of the shown warp
  uint64_t serial = 0;               // of this opening
  std::vector<StepMove> moves;       // asked for, and not yet given to the worker
  bool moving = false;               // the worker has not answered yet
  bool submitted = false;            // the worker knows of this opening
  bool playing = false;
  double lines_per_second = 4;
  double played_s = 0;                        // window's clock: the last line that was played
  std::shared_ptr<const StepSnapshot> shown;  // null until the block is open
  std::string error;                          // why it cannot be stepped
};

constexpr size_t most_breakpoints = 64;

// Parts of the scrubber.
constexpr size_t timeline_parts = 1600;

struct AppState;
// The block that the Step view opens: the pinned one, else that of a fault or finding, else the first.
Dim3 block_to_step(const AppState& state);
// The launches of a request, by their numbers: "reduce_shared, 391 blocks of 256 threads".
std::vector<std::string> launches_of(const LaunchRequest& request);
// Grid and block of the launch that is stepped.
LaunchShape stepped_shape(const StepState& step);
// Whose writes are looked for: the chosen cell, else the pinned element, else what the shown lane accessed
// last.
std::optional<StepTarget> step_target(const AppState& state);
// The breakpoint on this line of the shown source; null if there is none.
const StepBreakpoint* breakpoint_at(const StepState& step, std::string_view file, uint32_t line);
// Whether the pinned thing says which thread to step.
bool can_step_thread(const AppState& state);
// The first element of an output that the baseline and the shown run have different values of. Empty if there
// is none, or no baseline.
std::optional<ElementPick> first_difference(const AppState& state);
// Whether the view has to open a block: none is open, or it is of another run, or another block is pinned.
bool step_is_due(const AppState& state);

}  // namespace warplens
