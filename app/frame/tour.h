// A short first tour: a card that points at one part of the window after the other.
#pragma once

#include "app/widgets/panel.h"

namespace warplens {

void draw_tour(const AppState& state, Actions& actions);

}  // namespace warplens
