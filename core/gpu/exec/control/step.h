// Running a warp op by op, for callers that inspect the state between two ops.
#pragma once

#include <optional>

#include "core/gpu/exec/state/warp.h"

namespace warplens::exec {

// The work of run(), in two parts. choose_path activates the path that runs next. An empty result means that
// `warp.current` is that path, until run_one() reports something else. A state means that the warp's turn is
// over, and is what run() would have returned.
std::optional<WarpState> choose_path(Warp& warp);

// The result of running one op of the chosen path.
struct Stepped {
  bool choose = false;             // a path has to be chosen again
  std::optional<WarpState> ended;  // the warp's turn is over
};
Stepped run_one(Warp& warp);

}  // namespace warplens::exec
