// What to run: kernel, arguments, block, grid; what that comes to; what is wrong with it and how to mend it.
#pragma once

#include "app/panels/panels.h"
#include "app/view_model/launch.h"

namespace warplens {

struct LaunchPanelState {
  LaunchView view;  // of `revision`
  uint64_t revision = ~uint64_t{0};
};

void draw_launch(const AppState& state, LaunchPanelState& own, Actions& actions);

}  // namespace warplens
