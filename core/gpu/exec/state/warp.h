// One warp while it runs: its register frame, its active lanes, and the paths of its diverged lanes.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/gpu/exec/state/async_copy.h"
#include "core/gpu/exec/state/block.h"
#include "core/gpu/exec/state/fault.h"
#include "core/gpu/exec/state/program.h"
#include "core/gpu/exec/state/schedule.h"
#include "core/gpu/exec/state/warp_state.h"

namespace warplens::exec {

// The reason why a handler returned null.
enum class Signal : uint8_t { none, slice, split, fan, arrive, come_back, barrier, exit, fault, sync };

// Lanes that separated from each other and meet again at `op`.
struct Join {
  const Op* op = nullptr;
  uint32_t waiting = 0, arrived = 0;  // waiting: lanes that have not arrived yet; arrived: lanes that have
  int32_t parent = -1;
  // For a call: index in warp.frames; lanes arrive here only through ret. -1 for a branch, where lanes arrive
  // by reaching `op`.
  int32_t call = -1;
};

// What lanes that called a function need when they return: see call.cpp.
struct CallFrame {
  const Op* call = nullptr;
  uint32_t callee = 0;           // index in Program::functions
  std::vector<std::byte> saved;  // the caller's registers that the callee may overwrite
  std::array<uint32_t, warp_lanes> stack{};
};

// Lanes that continue at `op`, when more than two groups separate at once.
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
  uint32_t threads = 0;  // 0: the whole block
  const Op* op = nullptr;
  bool arrive_only = false;
  uint32_t yes = 0, no = 0;  // for bar.red: lanes whose predicate is true or not
};

// 1 << lane.
constexpr std::array<uint32_t, warp_lanes> lane_bits = [] {
  std::array<uint32_t, warp_lanes> bits{};
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) bits[lane] = 1u << lane;
  return bits;
}();

// A block clears the local memory of the one before by these pages: only those that were written to.
constexpr uint32_t local_page_bytes = 1024;

struct Warp {
  alignas(64) std::array<uint32_t, warp_lanes> lanes{};  // all bits set if the lane is active
  std::byte* frame = nullptr;
  uint32_t mask = 0;
  uint32_t active = 0;  // popcount of mask
  uint32_t live = 0;    // lanes that have not exited
  uint32_t missed = 0;  // lanes that a .sync instruction named, and that went on past it
  uint32_t index = 0;   // index in the block
  Mode mode = some_lanes;
  bool is_short = false;  // it started with fewer than 32 lanes
  Signal signal = Signal::none;
  const Op* join_op = nullptr;  // where the current path meets others
  const Op* next = nullptr;     // where to continue after a signal
  uint32_t split_mask = 0;      // for a split: lanes that take the branch; for a sync: lanes that wait
  int64_t steps = 0;            // steps left in this slice
  int64_t slice = 0;            // steps at the start of this slice
  int64_t turn = 0;             // steps that the warp may use before another one has its turn
  bool may_spin = false;        // see release_waiting
  bool in_order = true;         // otherwise `dice` says which path runs next
  bool may_part = false;        // its lanes may run apart, even without a branch
  Dice dice;
  std::byte* local = nullptr;  // local_bytes per lane, lane after lane
  // For each page of local memory, the lanes that may have written to theirs since the block started.
  uint32_t* local_writers = nullptr;
  BlockContext* block = nullptr;
  BarrierWait barrier;
  AsyncCopies copies;
  Fault fault;

  std::vector<Path> paths;
  std::vector<Join> joins;
  std::vector<FanPart> fan;  // for Signal::fan, with `next` the op that separates the lanes

  // Calls.
  std::vector<CallFrame> frames;
  std::vector<int32_t> free_frames;
  std::array<uint32_t, warp_lanes> stack{};  // per lane: end of the used stack, in local memory
  uint32_t stack_peak = 0;                   // maximum of all lanes since the block started
  std::vector<std::byte> scratch;            // temporary memory for call.cpp
  size_t current = 0;

  template <class T>
  T* reg(uint32_t offset) const {
    return reinterpret_cast<T*>(frame + offset);
  }
  uint32_t& predicate(uint32_t offset) const { return *reinterpret_cast<uint32_t*>(frame + offset); }
};

// The number of lanes of a mask, without the instruction that the baseline set lacks.
constexpr uint32_t lanes_of(uint32_t mask) {
  mask -= mask >> 1 & 0x55555555;
  mask = (mask & 0x33333333) + (mask >> 2 & 0x33333333);
  return ((mask + (mask >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

// Makes the lanes those of the mask.
inline void write_lanes(Warp& warp) {
  // Unlike a shift by the lane, this has a vector form in the baseline instruction set.
  for (uint32_t lane = 0; lane < warp_lanes; ++lane)
    warp.lanes[lane] = (warp.mask & lane_bits[lane]) != 0 ? ~0u : 0;
}

// Paths of a warp take turns, most often with the mask that is already set.
inline void set_mask(Warp& warp, uint32_t mask) {
  if (mask == warp.mask) return;
  warp.mask = mask;
  warp.active = lanes_of(mask);
  warp.mode = mask == 0xffffffff ? all_lanes : some_lanes;
  write_lanes(warp);
}

inline const Op* raise(Warp& warp, Fault fault) {
  fault.warp = warp.index;
  fault.active = warp.active;
  warp.fault = std::move(fault);
  warp.signal = Signal::fault;
  return nullptr;
}

// Indices of joins; a join whose lanes have all met or left is used again.
int32_t new_join(Warp& warp, const Op* op, uint32_t waiting, int32_t parent);
void remove_join(Warp& warp, int32_t index);

// For lanes that return: copies the call's results and restores what the call saved.
void finish_call(Warp& warp, int32_t frame, uint32_t lanes);

// Starts a warp at the program's first op with these lanes: sets what its code reads and what its paths need.
void start(Warp& warp, uint32_t lanes);
void start_paths(Warp& warp, const Op* entry);
// Runs until the warp finishes, waits at a barrier, faults, or `warp.steps` are used up (then: ready).
WarpState run(Warp& warp);
// As run(), for a warp that has run up to this op without separating. Null: its signal says why it stopped.
WarpState go_on(Warp& warp, const Op* op);

}  // namespace warplens::exec
