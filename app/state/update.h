// All changes of the state, as one function that is tested without a window.
#pragma once

#include <string>

#include "app/state/actions.h"
#include "app/state/state.h"

namespace warplens {

// A state in which this kernel and device are chosen and a first run is requested. Empty names mean the
// defaults (grayscale on the first device). Unknown names are errors that list the known ones.
Result<AppState> initial_state(const std::string& kernel, const std::string& device);

void update(AppState& state, const Action& action);

}  // namespace warplens
