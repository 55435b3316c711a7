// A class at a glance: where each student is, stars, time, and what most get wrong (docs/classroom.md).
#pragma once

#include <string>

#include "app/widgets/panel.h"

namespace warplens {

// The contents of its dialog. `typed`: the student who is searched for.
void draw_class_table(const AppState& state, std::string& typed, Actions& actions);

}  // namespace warplens
