// The history of runs: the launches and their figures. The user can restore a run and compare two runs. Undo
// and redo say what they would change.
#pragma once

#include "app/widgets/panel.h"

namespace warplens {

struct RunsPanelState {
  bool comparing = false;  // two runs side by side instead of the list
};

void draw_runs(const AppState& state, RunsPanelState& own, Actions& actions);

}  // namespace warplens
