// The dialog of the Learn menu: the course's lessons with what is done of them, and the ladder of challenges.
#pragma once

#include "app/widgets/panel.h"

namespace warplens {

void draw_learn(const AppState& state, Actions& actions);

}  // namespace warplens
