// The slim bar of present mode, at the lower edge: the lesson's step, the views, kernel, block and grid, the
// way out. Where there is little room, less of it is drawn; the steps and the way out always are.
#pragma once

#include <imgui.h>

#include "app/widgets/card_place.h"
#include "app/window/frame/pickers.h"

namespace warplens {

struct PresentBarState {
  PickersState pickers;
};

float present_bar_height();
void draw_present_bar(const AppState& state, Box place, PresentBarState& own, Actions& actions);

}  // namespace warplens
