// Rounding modes other than to nearest even: an op in front of the rounded one sets the mode, runs it, and
// sets it back. The loop that it calls is compiled elsewhere and reached through a pointer, so no compiler
// moves arithmetic across.
#include "core/exec/rounding.h"

#include <cfenv>

#include "core/exec/warp.h"

namespace warplens::exec {

int fenv_mode(ptx::Modifier rounding) {
  switch (rounding) {
    case ptx::Modifier::rz:
      return FE_TOWARDZERO;
    case ptx::Modifier::rm:
      return FE_DOWNWARD;
    case ptx::Modifier::rp:
      return FE_UPWARD;
    default:
      return FE_TONEAREST;
  }
}

const Op* run_rounded(const Op* op, Warp& warp) {
  const Op* rounded = op + 1;
  std::fesetround(static_cast<int>(op->immediate));
  const Op* next = rounded->handlers.run[warp.mode](rounded, warp);
  std::fesetround(FE_TONEAREST);
  return next;
}

}  // namespace warplens::exec
