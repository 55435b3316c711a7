// The Problems panel: faults, findings, messages and warnings in one list, the worst first.
#pragma once

#include "app/widgets/panel.h"

namespace warplens {

struct ProblemsPanelState {};

void draw_problems(const AppState& state, ProblemsPanelState& own, Actions& actions);

}  // namespace warplens
