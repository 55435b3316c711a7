// One warp while it runs: its register frame, its active lanes, and the paths on which its diverged lanes
// are.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/dim3.h"
#include "core/gpu/exec/state/access_shape.h"
#include "core/gpu/exec/state/async_copy.h"
#include "core/gpu/exec/state/memory.h"
#include "core/gpu/exec/state/program.h"
#include "core/gpu/exec/state/schedule.h"
#include "core/launch/footprint.h"
#include "core/program/op/matrix_op.h"

namespace warplens::program {
struct Program;
}

namespace warplens::exec {

struct Console;
class Watch;
class CompiledProgram;
struct TraceLog;

// Why a handler returned null.
enum class Signal : uint8_t { none, slice, split, fan, arrive, come_back, barrier, exit, fault, sync };

enum class FaultKind : uint8_t {
  none,
  out_of_bounds,
  misaligned,
  read_only,
  barrier_divergence,
  invalid_barrier,
  deadlock,
  missing_lanes,  // of the mask of a .sync instruction
  not_in_mask,
  incomplete_warp,  // at an instruction that needs all 32 lanes
  invalid_texture,
  surface_bounds,
  step_limit,
  trap,
  stack_overflow,
  assertion,
  invalid_pc,    // a call of what is no function
  invalid_free,  // free of what malloc did not give, or of what was freed already
  unsupported
};

// Other lanes of the warp while some wait for them for ever. Of a deadlock at barriers: another warp of the
// block, and as its mask the barrier's number.
struct OtherLanes {
  uint32_t lanes = 0, mask = 0;
  bool at_sync = false;  // else at a barrier
  const Op* op = nullptr;
  uint32_t warp = 0;
};

// What went wrong, as the handler knows it; the backend adds lines, block and thread.
struct Fault {
  FaultKind kind = FaultKind::none;
  const Op* op = nullptr;
  uint32_t lane = 0, warp = 0;
  uint32_t active = 0;  // lanes that ran the op
  uint64_t address = 0;
  uint32_t bytes = 0;
  Space space = Space::global;
  AccessKind access = AccessKind::load;
  std::string detail;
  std::vector<OtherLanes> others = {};
};

// How often a basic block ran: by warps, and by lanes.
struct BlockCount {
  uint64_t warps = 0, threads = 0;
};

// How often atomics meet at a word of global memory. A cell is a word: those 16 KiB apart share one.
struct AtomicHeat {
  static constexpr size_t cells = 4096;
  std::array<uint64_t, cells> lanes{}, requests{};
  std::array<uint64_t, cells> seen{};  // the last request that touched the cell
};

// Of one memory instruction: what it caused, and what makes its next execution fast.
struct MemoryOpState {
  uint64_t requests = 0, sectors = 0, sectors_ideal = 0, lines = 0, wavefronts = 0, conflicts = 0;
  std::shared_ptr<AtomicHeat> heat;        // of global atomics; null where nobody asks
  bool merges = false;                     // CountedOp::merges
  const Allocation* allocation = nullptr;  // the one that it used last
  // Shared memory: the pattern of addresses relative to the first lane's word, and its wavefronts and
  // conflicts.
  std::array<uint32_t, warp_lanes> pattern{};
  uint32_t pattern_mask = 0, pattern_wavefronts = 0, pattern_conflicts = 0;
  LearntShape shape;  // loads and stores of global and shared memory
  // Shared memory: `pattern` was last that of the shape, with the first address at this place of a word.
  bool shape_counted = false;
  uint8_t shape_phase = 0;
};

// Receives the memory accesses of a run or of a replayed block.
class AccessRecorder {
 public:
  virtual ~AccessRecorder() = default;
  // Whether it has to hear of all loads and stores of this space; global and shared memory are asked about,
  // once for each launch. Of a space that it does not listen to it hears of some.
  virtual bool listens_to(Space /*space*/) const { return true; }
  virtual void record(const Op& op, uint32_t warp, uint32_t mask, Space space, AccessKind kind,
                      const uint64_t* addresses) = 0;
  // The same of all 32 lanes, which lie to each other as `shape` says, lane 0 at `first`, and in global
  // memory all in one allocation.
  virtual void record_shaped(const Op& op, uint32_t warp, Space space, AccessKind kind, AccessShape& shape,
                             uint64_t first) {
    std::array<uint64_t, warp_lanes> addresses{};
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) addresses[lane] = first + shape.relative[lane];
    record(op, warp, 0xffffffff, space, kind, addresses.data());
  }
  // The sectors (addresses by 32) that a texture instruction asks for, as often as it does.
  virtual void record_texture(std::span<const uint64_t> /*sectors*/) {}
};

// Lanes that left together and meet again at `op`.
struct Join {
  const Op* op = nullptr;
  uint32_t waiting = 0, arrived = 0;  // lanes still on their way; lanes that are there
  int32_t parent = -1;
  // A call: where lanes come back to, through ret alone. In warp.frames; -1: a branch, where lanes arrive by
  // running into `op`.
  int32_t call = -1;
};

// What lanes that called a function get back when they return: see call.cpp.
struct CallFrame {
  const Op* call = nullptr;
  uint32_t callee = 0;           // in Program::functions
  std::vector<std::byte> saved;  // the caller's registers, where the callee may run over them
  std::array<uint32_t, warp_lanes> stack{};
};

// Lanes that go on at `op`, of several groups that part at once.
struct FanPart {
  const Op* op = nullptr;
  uint32_t mask = 0;
};

struct Path {
  const Op* next = nullptr;
  uint32_t mask = 0;
  int32_t join = -1;
  bool at_barrier = false;
  bool at_sync =
      false;  // waits at `next` for the other lanes of sync_mask, see core/gpu/exec/control/collective.h
  uint32_t sync_mask = 0;
  uint32_t met_live = 0;  // lanes that had not exited when this path's last collective instruction was done
};

struct BarrierWait {
  uint32_t number = 0;
  uint32_t threads = 0;  // 0: all of the block
  const Op* op = nullptr;
  bool arrive_only = false;
  uint32_t yes = 0, no = 0;  // of bar.red: lanes whose predicate is true or not
};

// Warps that have not started yet, all lanes active, and run to their end in machine code one behind the
// other (core/gpu/exec/jit): where one exits the next one begins. What else happens ends it, at the warp
// `at`.
struct Chain {
  struct Warp* at = nullptr;
  struct Warp* end = nullptr;   // null: there is no chain, and who exits goes back
  const void* entry = nullptr;  // the code of the program's first op
  int64_t steps = 0;            // left to the block in this slice
  int64_t turn = 0;             // what a warp may take of them
};

struct PartedWarps;  // core/gpu/exec/state/parted.h

// What all warps of a worker's current block share.
struct BlockContext {
  Memory* memory = nullptr;
  std::byte* shared = nullptr;
  uint32_t shared_bytes = 0;
  const std::byte* parameters = nullptr;
  uint32_t parameter_bytes = 0;
  uint32_t local_bytes = 0;  // per thread, stack included
  const program::Program* program = nullptr;
  Console* console = nullptr;
  Dim3 block_extent, grid_extent;
  uint64_t clock = 0;  // steps of all warps in earlier turns
  BlockCount* counts = nullptr;
  MemoryOpState* memory_ops = nullptr;
  const TextureAccess* textures = nullptr;  // of the program
  AccessRecorder* recorder = nullptr;
  // The same, where it has to hear of all loads and stores of the space.
  AccessRecorder *global_recorder = nullptr, *shared_recorder = nullptr;
  Watch* watch = nullptr;  // hears of everything that orders or initialises, see core/gpu/exec/state/watch.h
  Watch* notes = nullptr;  // hears of the ops of run_watch; also where `watch` is null
  const MatrixOp* matrices = nullptr;  // of the program
  ShapePool* shapes = nullptr;         // null: each access is looked at anew
  CompiledProgram* code = nullptr;     // null: the handlers run everything
  bool count_memory = true;
  TraceLog* trace = nullptr;      // null: nobody records the instructions, or not this way
  PartedWarps* parted = nullptr;  // null: a warp comes to a barrier as a whole, or there is a fault
  std::exception_ptr thrown;      // by what compiled code called
  bool exclusive = true;          // no other worker touches device memory: atomics need no lock
  Dim3 block_position{0, 0, 0};
  uint64_t first_writer = 0;  // the writer number of the block's first thread
  // What the special registers that change from block to block have, in the order of
  // Program::block_specials: %ctaid and %clusterid of four components, and %smid.
  std::array<uint64_t, 9> special_values{};
  std::byte* frames = nullptr;  // of all warps
  uint32_t warps = 0;
  // The frames do not have them yet: nobody but compiled code has run in this block.
  bool frames_lack_specials = false;
  uint64_t block_sectors = 0, block_divergences = 0;  // of this block, for heat maps
  Chain chain;
};

// 1 << lane.
constexpr std::array<uint32_t, warp_lanes> lane_bits = [] {
  std::array<uint32_t, warp_lanes> bits{};
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) bits[lane] = 1u << lane;
  return bits;
}();

struct Warp {
  alignas(64) std::array<uint32_t, warp_lanes> lanes{};  // all ones where the lane is active
  std::byte* frame = nullptr;
  uint32_t mask = 0;
  uint32_t active = 0;  // popcount of mask
  uint32_t live = 0;    // lanes that have not exited
  uint32_t index = 0;   // in the block
  Mode mode = some_lanes;
  Signal signal = Signal::none;
  const Op* join_op = nullptr;  // where the current path meets others
  const Op* next = nullptr;     // where to go on after a signal
  uint32_t split_mask = 0;      // of a split: lanes that take the branch; of a sync: lanes that wait
  int64_t steps = 0;            // left in this slice
  int64_t slice = 0;            // steps at the start of this slice
  int64_t turn = 0;             // steps that the warp may take before another one has its turn
  bool may_spin = false;        // see release_waiting
  bool in_order = true;         // else `dice` says which path runs next
  bool may_part = false;        // and whether its lanes go on together
  Dice dice;
  std::byte* local = nullptr;  // local_bytes per lane, lane after lane
  BlockContext* block = nullptr;
  BarrierWait barrier;
  AsyncCopies copies;
  Fault fault;

  std::vector<Path> paths;
  std::vector<Join> joins;
  std::vector<FanPart> fan;  // of Signal::fan, with `next` the op that parts the lanes

  // Calls.
  std::vector<CallFrame> frames;
  std::vector<int32_t> free_frames;
  std::array<uint32_t, warp_lanes> stack{};  // per lane: the end of what its stack holds, in local memory
  uint32_t stack_peak = 0;                   // of all lanes since the block started
  std::vector<std::byte> scratch;            // for call.cpp
  size_t current = 0;

  template <class T>
  T* reg(uint32_t offset) const {
    return reinterpret_cast<T*>(frame + offset);
  }
  uint32_t& predicate(uint32_t offset) const { return *reinterpret_cast<uint32_t*>(frame + offset); }
};

// A warp's paths take turns, most often with the mask that is set already.
inline void set_mask(Warp& warp, uint32_t mask) {
  if (mask == warp.mask) return;
  warp.mask = mask;
  warp.active = static_cast<uint32_t>(std::popcount(mask));
  warp.mode = mask == 0xffffffff ? all_lanes : some_lanes;
  // Unlike a shift by the lane, this has a vector form in the baseline instruction set.
  for (uint32_t lane = 0; lane < warp_lanes; ++lane)
    warp.lanes[lane] = (mask & lane_bits[lane]) != 0 ? ~0u : 0;
}

inline const Op* raise(Warp& warp, Fault fault) {
  fault.warp = warp.index;
  fault.active = warp.active;
  warp.fault = std::move(fault);
  warp.signal = Signal::fault;
  return nullptr;
}

// Slots of joins; joins whose lanes have all met or left are used again.
int32_t new_join(Warp& warp, const Op* op, uint32_t waiting, int32_t parent);
void remove_join(Warp& warp, int32_t index);

// For lanes that return: the call's results and what the call saved.
void finish_call(Warp& warp, int32_t frame, uint32_t lanes);

enum class WarpState : uint8_t { ready, barrier, finished, fault };

// A turn is short enough that a warp which spins on another's flag does not spin for long.
constexpr int64_t longest_turn = 1 << 16, shortest_turn = 1 << 10;

// Where frames_lack_specials says that it is to be done.
void fill_block_specials(BlockContext& block);
// Starts a warp at the program's first op with these lanes: what its code reads, then what its paths need.
void start(Warp& warp, uint32_t lanes);
void start_paths(Warp& warp, const Op* entry);
// Runs until the warp finishes, waits at a barrier, faults, or `warp.steps` are used up (then: ready).
WarpState run(Warp& warp);
// The same, of a warp that has run up to this op without parting; null: its signal says why it stopped.
WarpState go_on(Warp& warp, const Op* op);

}  // namespace warplens::exec
