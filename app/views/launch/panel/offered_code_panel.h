#pragma once

#include "app/state/actions.h"
#include "app/state/state.h"

namespace warplens {

// Code to choose from, if a lesson asks for code that is typed and there is no compiler.
void draw_offered_code(const AppState& state, Actions& actions);
// Over the text of the editor: why it cannot be typed into, and what to do; in a challenge, code to choose
// from.
void draw_not_typed(const AppState& state, Actions& actions);

}  // namespace warplens
