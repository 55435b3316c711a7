// Problems as cards: amber for warnings, red for faults and refused launches, each with its button.
#pragma once

#include <string_view>

#include "app/widgets/panel.h"

namespace warplens {

// `place` and `index` make the card's id.
void draw_card(const Problem& problem, std::string_view place, size_t index, Actions& actions);

// The button that mends it, or dismisses a message; nothing where there is neither.
void draw_fix(const Problem& problem, Actions& actions);

}  // namespace warplens
