// The Step view in the window.
#pragma once

#include "app/views/step/picture.h"
#include "app/widgets/panel.h"
#include "app/widgets/scrolled_picture.h"

namespace warplens {

struct StepPanelState {
  bool show_ptx = false;
  ScrolledPictureState picture;
};

void draw_step(const AppState& state, StepPanelState& own, Actions& actions);

}  // namespace warplens
