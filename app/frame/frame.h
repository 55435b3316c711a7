// One frame of the whole window: top bar, docked panels, status bar, dialogs.
#pragma once

#include "app/frame/all.h"
#include "app/frame/layout.h"

namespace warplens {

struct FrameMemory {
  PanelStates panels;
  LayoutMemory layout;
  std::optional<View> focused;  // the view whose tab was brought to the front last
  int settle = 0;               // frames until a built layout takes its tabs
};

// `reset_layout`: back to the default.
void draw_frame(const AppState& state, FrameMemory& memory, bool reset_layout, Actions& actions);

}  // namespace warplens
