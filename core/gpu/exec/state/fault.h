// The faults of a kernel that the virtual GPU detects.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/gpu/exec/state/program.h"
#include "core/launch/footprint.h"

namespace warplens::exec {

enum class FaultKind : uint8_t {
  none,
  out_of_bounds,
  misaligned,
  read_only,
  barrier_divergence,
  invalid_barrier,
  deadlock,
  missing_lanes,  // lanes named in the mask of a .sync instruction
  not_in_mask,
  incomplete_warp,  // an instruction that needs all 32 lanes
  invalid_texture,
  surface_bounds,
  step_limit,
  trap,
  stack_overflow,
  assertion,
  invalid_pc,    // a call of an address that is not a function
  invalid_free,  // free of an address that malloc did not return, or that was freed already
  unsupported
};

// The lanes that others of the warp wait for, when they can never arrive. For a deadlock at barriers: another
// warp of the block, and the barrier's number as its mask.
struct OtherLanes {
  uint32_t lanes = 0, mask = 0;
  bool at_sync = false;  // otherwise they wait at a barrier
  const Op* op = nullptr;
  uint32_t warp = 0;
};

// A fault as the handler knows it. The backend adds lines, block and thread.
struct Fault {
  FaultKind kind = FaultKind::none;
  const Op* op = nullptr;
  uint32_t lane = 0, warp = 0;
  uint32_t active = 0;  // the lanes that ran the op
  uint64_t address = 0;
  uint32_t bytes = 0;
  Space space = Space::global;
  AccessKind access = AccessKind::load;
  std::string detail;
  std::vector<OtherLanes> others = {};
};

}  // namespace warplens::exec
