// The Launch panel: kernel, arguments, block and grid, the figures that follow from them, and problems with
// their fixes.
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
