// What a lesson hides, or a prediction: a view that would give it away is covered until the answer is there.
#pragma once

#include <string>

#include "app/state/state.h"

namespace warplens {

// Why this view is covered; empty if it is not.
std::string veiled_because(const AppState& state, View view);
// Fills the current window with the words and a large question mark.
void draw_veil(const std::string& words);

}  // namespace warplens
