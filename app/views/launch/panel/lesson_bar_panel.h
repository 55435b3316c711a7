// The row at the bottom of a lesson: from step to step, hints, and the step as it was.
#pragma once

#include "app/widgets/panel.h"

namespace warplens {

float lesson_bar_height();
void draw_lesson_bar(const AppState& state, Actions& actions);

}  // namespace warplens
