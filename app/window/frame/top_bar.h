// The menus, the pickers of device and kernel, and Run. It has two lines if one is too short.
#pragma once

#include "app/window/frame/pickers.h"

namespace warplens {

struct TopBarState {
  PickersState pickers;
};

void draw_top_bar(const AppState& state, TopBarState& own, Actions& actions);

// Its height at this width, for one line or two.
float top_bar_height(const AppState& state, float width);

}  // namespace warplens
