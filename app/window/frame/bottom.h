// The line at the bottom: how many problems there are and the worst of them, how the shown run compares, and
// what the device does. Problems and Runs open from it, below the views.
#pragma once

#include "app/widgets/panel.h"

namespace warplens {

float bottom_line_height();
void draw_bottom_line(const AppState& state, Actions& actions);

}  // namespace warplens
