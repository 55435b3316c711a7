// What `warplens debug` steps, from the settings of an editor's configuration.
#pragma once

#include <stop_token>

#include "app/cli/shared/cli.h"
#include "app/debug/target.h"
#include "core/base/result.h"

namespace warplens {

// A kernel or a file that `warplens run` can open. A program is run to its end first, and its launches are
// stepped. Nothing is printed: messages are among the target's notes.
Result<dap::DebugTarget> open_debug_target(dap::LaunchSettings settings, const Cli& cli,
                                           const std::stop_token& stop);

}  // namespace warplens
