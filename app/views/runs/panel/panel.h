// The history of runs: the launches and their figures. The user can restore a run and compare two runs. Undo
// and redo say what they would change.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/widgets/built.h"
#include "app/widgets/panel.h"

namespace warplens {

struct RunsPanelState {
  bool comparing = false;  // two runs side by side instead of the list
  // The differences between the runs, by the newest run and their number.
  Built<std::pair<uint64_t, size_t>, std::vector<std::string>> differences;
};

void draw_runs(const AppState& state, RunsPanelState& own, Actions& actions);

}  // namespace warplens
