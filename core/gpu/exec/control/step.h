// Running a warp op by op, for who looks at what is between two of them.
#pragma once

#include <optional>

#include "core/gpu/exec/state/warp.h"

namespace warplens::exec {

// What run() does, in two pieces. Makes the path active that runs next. Empty: `warp.current` is that path,
// and stays it until run_one() says otherwise. A state: the warp's turn is over, with what run() would have
// returned.
std::optional<WarpState> choose_path(Warp& warp);

// One op of the path that was chosen.
struct Stepped {
  bool choose = false;             // a path has to be chosen again
  std::optional<WarpState> ended;  // the warp's turn is over
};
Stepped run_one(Warp& warp);

}  // namespace warplens::exec
