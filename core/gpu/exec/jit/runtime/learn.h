// How compiled code calls handlers.
#pragma once

#include "core/gpu/exec/state/warp.h"

namespace warplens::exec::jit {

// Runs an access's handler, and lets it learn the shape of its addresses also where it does without.
const Op* run_and_learn_shape(const Op* op, Warp& warp);
// The same for a warp with some lanes active.
const Op* run_and_learn_part(const Op* op, Warp& warp);
// Runs a handler that may throw. No exception passes compiled code: it waits in the block, and null comes
// back.
const Op* run_and_catch(const Op* op, Warp& warp, Handler handler) noexcept;

}  // namespace warplens::exec::jit
