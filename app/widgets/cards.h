// Draws a problem as a short card with its button: amber for warnings, red for faults and refused launches.
#pragma once

#include <string_view>

#include "app/widgets/panel.h"

namespace warplens {

// The card's id is made of `place`. The Problems panel says what an unchecked program would show.
void draw_card(const Problem& problem, std::string_view place, Actions& actions);

// Draws the button that corrects the problem, or dismisses a message, if there is one.
void draw_fix(const Problem& problem, Actions& actions);

}  // namespace warplens
