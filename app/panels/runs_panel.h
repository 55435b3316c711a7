// The history of runs: what was launched, what it cost; each can be restored.
#pragma once

#include "app/panels/panels.h"

namespace warplens {

struct RunsPanelState {};

void draw_runs(const AppState& state, RunsPanelState& own, Actions& actions);

}  // namespace warplens
