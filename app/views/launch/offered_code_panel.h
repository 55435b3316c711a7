#pragma once

#include "app/state/actions.h"
#include "app/state/state.h"

namespace warplens {

// Where code is to be typed and there is no compiler: code to choose from.
void draw_offered_code(const AppState& state, Actions& actions);

}  // namespace warplens
