// How compiled code calls handlers.
#pragma once

#include "core/gpu/exec/state/access_shape.h"
#include "core/gpu/exec/state/warp.h"

namespace warplens::exec::jit {

// Runs an access's handler, and lets it learn the shape of its addresses also where it does without.
const Op* run_and_learn_shape(const Op* op, Warp& warp);
// The same for a warp with some lanes active.
const Op* run_and_learn_part(const Op* op, Warp& warp);
// The same where code of whole warps has set a mask: for a row of addresses, which all lanes have, or for
// lanes.
const Op* run_and_learn_part_of_row(const Op* op, Warp& warp);
const Op* run_and_learn_part_of_lanes(const Op* op, Warp& warp);
// By what such an access is kept in its shape.
constexpr AccessShape::PartKind kind_of_part(bool counts, bool is_shared, bool is_store) {
  using Kind = AccessShape::PartKind;
  if (!counts) return Kind::uncounted;
  if (!is_shared) return Kind::global;
  return is_store ? Kind::shared_store : Kind::shared_load;
}
// Runs a handler that may throw. No exception passes compiled code: it waits in the block, and null comes
// back.
const Op* run_and_catch(const Op* op, Warp& warp, Handler handler) noexcept;

}  // namespace warplens::exec::jit
