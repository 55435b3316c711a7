#pragma once

#include "app/state/actions.h"
#include "app/state/state.h"

namespace warplens {

// Code to choose from, if a lesson asks for code that is typed and there is no compiler.
void draw_offered_code(const AppState& state, Actions& actions);

}  // namespace warplens
