// How the state changes: one function, tested without a window.
#pragma once

#include <string>

#include "app/state/actions.h"
#include "app/state/state.h"

namespace warplens {

// A state with this kernel and device chosen and a first run asked for. Unknown names are errors that list
// the known ones; empty names take the defaults (grayscale on the first device).
Result<AppState> initial_state(const std::string& kernel, const std::string& device);

void update(AppState& state, const Action& action);

}  // namespace warplens
