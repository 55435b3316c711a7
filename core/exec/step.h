// Running a warp op by op, for who looks at what is between two of them.
#pragma once

#include <optional>

#include "core/exec/warp.h"

namespace warplens::exec {

// What run() does, but one op of the path whose turn it is. Empty: the warp's turn goes on. Otherwise what
// run() would have returned: one warp that is stepped does the same as one that runs.
std::optional<WarpState> step(Warp& warp);

}  // namespace warplens::exec
