#include "core/gpu/exec/state/watch.h"

#include "core/gpu/exec/state/routines.h"

namespace warplens::exec {

const Op* run_watch(const Op* op, Warp& warp) {
  switch (static_cast<WatchJob>(op->bytes)) {
    case WatchJob::register_write:
      warp.predicate(op->d) |= warp.mask;
      return op + 1;
    case WatchJob::register_copy: {
      uint32_t& to = warp.predicate(op->d);
      to = (to & ~warp.mask) | (warp.predicate(op->a) & warp.mask);
      return op + 1;
    }
    case WatchJob::register_read:
      if ((warp.mask & ~warp.predicate(op->a)) == 0) return op + 1;
      break;
    default:
      break;
  }
  // The prologue of a launch runs before there is anybody to tell.
  if (warp.block->notes != nullptr) warp.block->notes->note(*op, warp);
  return op + 1;
}

}  // namespace warplens::exec
