#include "core/gpu/exec/state/async_copy.h"

#include <bit>
#include <cstring>

#include "core/gpu/exec/state/routines.h"
#include "core/gpu/exec/state/warp.h"
#include "core/gpu/exec/state/watch.h"
#include "core/program/op/mbarrier_op.h"

namespace warplens::exec {

void finish_copies(Warp& warp, uint32_t newest, bool all) {
  AsyncCopies& copies = warp.copies;
  for (AsyncCopy& copy : copies.pending) {
    for (uint32_t rest = copy.mask & warp.mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
      if (!all && copy.group[lane] + newest >= copies.committed[lane]) continue;
      std::memcpy(warp.block->shared + copy.target[lane], copy.data.data() + lane * 16, copy.bytes);
      copy.mask &= ~(1u << lane);
      if (warp.block->watch != nullptr)
        warp.block->watch->finish_copy(warp, lane, copy.target[lane], copy.bytes);
    }
  }
  std::erase_if(copies.pending, [](const AsyncCopy& copy) { return copy.mask == 0; });
}

const Op* run_commit_group(const Op* op, Warp& warp) {
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) warp.copies.committed[lane] += warp.mask >> lane & 1u;
  return op + 1;
}

const Op* run_wait_group(const Op* op, Warp& warp) {
  const WaitGroupOp wait = WaitGroupOp::of(*op);
  finish_copies(warp, wait.newest, wait.all);
  return op + 1;
}

}  // namespace warplens::exec
