// The history of runs: what was launched, what it cost; each can be restored, and two of them compared. Undo
// and redo of every control say what they would change.
#pragma once

#include "app/widgets/panel.h"

namespace warplens {

struct RunsPanelState {
  bool comparing = false;  // two runs side by side instead of the list
};

void draw_runs(const AppState& state, RunsPanelState& own, Actions& actions);

}  // namespace warplens
