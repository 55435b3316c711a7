// The keys of the command table, read from Dear ImGui.
#pragma once

#include "app/state/actions.h"
#include "app/state/state.h"

namespace warplens {

// Pushes the action of every enabled command whose key was pressed. A text field keeps the keys that it
// uses.
void read_shortcuts(const AppState& state, Actions& actions);

}  // namespace warplens
