// The dialog of the Learn menu: the course's lessons with what is done of them, and the ladder of challenges.
#pragma once

#include <string>

#include "app/widgets/panel.h"

namespace warplens {

// `typed`: what is searched for.
void draw_learn(const AppState& state, std::string& typed, Actions& actions);

}  // namespace warplens
