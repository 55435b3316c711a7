// The Problems panel: faults, findings, messages and warnings in one list, the worst first.
#pragma once

#include <string>

#include "app/widgets/panel.h"

namespace warplens {

struct ProblemsPanelState {
  std::string worst;  // what stood first in the last frame
};

void draw_problems(const AppState& state, ProblemsPanelState& own, Actions& actions);

}  // namespace warplens
