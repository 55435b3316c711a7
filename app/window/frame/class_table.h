// A class at a glance: where each student is, stars, time, and what most get wrong (docs/classroom.md).
#pragma once

#include "app/widgets/panel.h"

namespace warplens {

// The contents of its dialog.
void draw_class_table(const AppState& state, Actions& actions);

}  // namespace warplens
