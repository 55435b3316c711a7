// Accesses outside of all memory in a launch that goes on after them (--on-fault continue). Such a read gives
// 0, and such a write is not made, so that a program that is right on a GPU only by luck can be followed to
// its end.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include "core/gpu/exec/state/warp.h"

namespace warplens::exec {

// One entry for each instruction, with the first thread in the order of the grid. The blocks of a launch run
// on several threads.
class PassedFaults {
 public:
  struct Passed {
    Fault fault;  // its op is the one below: handlers also run copies of ops
    Op op;
    Dim3 block;
    uint64_t place = 0;  // of the block in the grid
    uint64_t count = 0;

    bool comes_before(const Passed& other) const {
      return std::tuple(place, fault.warp, fault.lane) <
             std::tuple(other.place, other.fault.warp, other.fault.lane);
    }
  };

  void note(const Warp& warp) {
    const Dim3 at = warp.block->block_position, grid = warp.block->grid_extent;
    Passed made{warp.fault, *warp.fault.op, at, at.x + uint64_t{grid.x} * (at.y + uint64_t{grid.y} * at.z)};
    const std::scoped_lock lock(m_mutex);
    Passed& passed = m_passed[warp.fault.op->instruction];
    const uint64_t count = passed.count + 1;
    if (passed.count == 0 || made.comes_before(passed)) passed = std::move(made);
    passed.fault.op = &passed.op;
    passed.count = count;
  }
  // By instruction. Call it after the launch.
  const std::map<uint32_t, Passed>& all() const { return m_passed; }

 private:
  std::mutex m_mutex;
  std::map<uint32_t, Passed> m_passed;
};

// After a lane's access has failed: whether the launch goes on after faults of this kind.
inline bool can_pass(const Warp& warp) {
  const FaultKind kind = warp.fault.kind;
  return warp.block->passed != nullptr &&
         (kind == FaultKind::out_of_bounds || kind == FaultKind::surface_bounds);
}

// As above; then the fault is recorded and taken back, and the lane goes on without its access.
inline bool pass_fault(Warp& warp) {
  if (!can_pass(warp)) return false;
  warp.block->passed->note(warp);
  warp.fault = {};
  warp.signal = Signal::none;
  return true;
}

}  // namespace warplens::exec
