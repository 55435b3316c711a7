// The Launch panel: the figures that follow from the choices, and below them kernel, arguments, block and
// grid. Of the problems it shows only why CUDA refuses a launch, beside the cause.
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
