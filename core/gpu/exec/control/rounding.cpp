// Rounding modes other than to nearest even: an op before the rounded one sets the mode, runs it, and resets
// the mode. The loop that it calls is compiled in another file and called through a pointer, so no compiler
// moves arithmetic across the change.
#include <cfenv>

#include "core/gpu/exec/state/routines.h"
#include "core/gpu/exec/state/warp.h"
#include "core/program/op/rounding.h"

namespace warplens::exec {

const Op* run_rounded(const Op* op, Warp& warp) {
  const Op* rounded = op + 1;
  std::fesetround(RoundedOp::of(*op).mode);
  const Op* next = rounded->handlers.run[warp.mode](rounded, warp);
  std::fesetround(FE_TONEAREST);
  return next;
}

}  // namespace warplens::exec
