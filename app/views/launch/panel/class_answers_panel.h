// What the followed class answers to a question, as bars.
#pragma once

#include "app/state/state.h"
#include "app/widgets/panel.h"

namespace warplens {

// Nothing where no class is followed, or nobody has answered. Until they are shown (V) or the question is
// answered here, only how many answers there are.
void draw_class_answers(const AppState& state, size_t question, Actions& actions);

}  // namespace warplens
