// The caption of a picture of a view that is saved or copied.
#pragma once

#include <string>

#include "app/state/state.h"

namespace warplens {

// Kernel, launch, device and provenance of what is shown; of the Program view, the program. With the version
// of WarpLens.
std::string caption_of(const AppState& state);

}  // namespace warplens
