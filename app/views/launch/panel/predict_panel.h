// Predict, then reveal, outside of lessons: the question after a change, and guess and truth side by side.
#pragma once

#include <string>

#include "app/widgets/panel.h"

namespace warplens {

struct PredictionState {
  std::string typed;
  uint64_t asked = 0;  // PredictState::asked of what is typed
};

void draw_prediction(const AppState& state, PredictionState& own, Actions& actions);

}  // namespace warplens
