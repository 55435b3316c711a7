// A short first tour: a card that explains the parts of the window one after the other.
#pragma once

#include "app/widgets/panel.h"

namespace warplens {

void draw_tour(const AppState& state, Actions& actions);

}  // namespace warplens
