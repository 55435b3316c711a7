// %clock, %clock64, %globaltimer (PTX ISA 10.25 to 10.29). The virtual GPU has no time: its clock counts the
// weighted instructions that the block's warps have run, one after the other, as if each took a cycle. Its
// nanoseconds are the same number. The clock never runs backwards, and is the same in every run.
#include "core/gpu/exec/state/routines.h"
#include "core/gpu/exec/state/warp.h"
#include "core/program/op/clock_op.h"
#include "core/ptx/opcode.h"

namespace warplens::exec {

const Op* run_clock(const Op* op, Warp& warp) {
  using ptx::SpecialRegister;
  const ClockOp clock = ClockOp::of(*op);
  const uint64_t now =
      warp.block->clock + static_cast<uint64_t>(warp.slice - warp.steps) + static_cast<uint64_t>(clock.steps);
  const SpecialRegister which = clock.which;
  const bool is_64 = which == SpecialRegister::clock64 || which == SpecialRegister::globaltimer;
  const bool high = which == SpecialRegister::clock_hi || which == SpecialRegister::globaltimer_hi;
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
    if (!(warp.mask >> lane & 1u)) continue;
    if (is_64) {
      warp.reg<uint64_t>(clock.result)[lane] = now;
    } else {
      warp.reg<uint32_t>(clock.result)[lane] = static_cast<uint32_t>(high ? now >> 32 : now);
    }
  }
  return op + 1;
}

}  // namespace warplens::exec
