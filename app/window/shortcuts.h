// Keys of the command table, read from Dear ImGui.
#pragma once

#include "app/state/actions.h"
#include "app/state/state.h"

namespace warplens {

// Pushes the action of every enabled command whose key was pressed. Keys that a text field wants stay with
// it.
void read_shortcuts(const AppState& state, Actions& actions);

}  // namespace warplens
