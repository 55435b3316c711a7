#include "core/gpu/exec/state/watch.h"

#include "core/gpu/exec/state/routines.h"

namespace warplens::exec {

const Op* run_watch(const Op* op, Warp& warp) {
  switch (watch_job(*op)) {
    case WatchJob::register_write:
      warp.predicate(WatchedWrite::of(*op).written) |= warp.mask;
      return op + 1;
    case WatchJob::register_copy: {
      const WatchedWrite write = WatchedWrite::of(*op);
      uint32_t& to = warp.predicate(write.written);
      to = (to & ~warp.mask) | (warp.predicate(write.from) & warp.mask);
      return op + 1;
    }
    case WatchJob::register_and: {
      const WatchedWrite write = WatchedWrite::of(*op);
      warp.predicate(write.written) &= warp.predicate(write.from) | ~warp.mask;
      return op + 1;
    }
    case WatchJob::register_read:
      if ((warp.mask & ~warp.predicate(WatchedRead::of(*op).written)) == 0) return op + 1;
      break;
    default:
      break;
  }
  // The prologue of a launch runs before an observer is attached.
  if (warp.block->notes != nullptr) warp.block->notes->note(*op, warp);
  return op + 1;
}

}  // namespace warplens::exec
