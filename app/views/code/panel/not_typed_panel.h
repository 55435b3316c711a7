#pragma once

#include "app/state/actions.h"
#include "app/state/state.h"

namespace warplens {

// Over the text of the editor: why it cannot be typed into, and what to do; in a challenge, code to choose
// from.
void draw_not_typed(const AppState& state, Actions& actions);

}  // namespace warplens
