// What to run: kernel, arguments, block, grid; what that comes to; what is wrong with it and how to mend it.
#pragma once

#include "app/views/launch/model.h"
#include "app/widgets/panel.h"

namespace warplens {

struct LaunchPanelState {
  LaunchView view;  // of `revision`
  uint64_t revision = ~uint64_t{0};
};

void draw_launch(const AppState& state, LaunchPanelState& own, Actions& actions);

}  // namespace warplens
