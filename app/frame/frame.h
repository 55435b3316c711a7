// One frame of the whole window: top bar, docked panels, status bar, dialogs.
#pragma once

#include "app/frame/dialogs.h"
#include "app/frame/layout.h"
#include "app/frame/top_bar.h"
#include "app/views/panels.h"

namespace warplens {

struct FrameMemory {
  Panels panels;
  TopBarState top_bar;
  DialogsState dialogs;
  LayoutMemory layout;
  std::optional<View> focused;  // the view whose tab was last brought to the front
  int settle = 0;               // frames until a new layout has its tabs
};

// With `reset_layout`, the layout becomes the default one.
void draw_frame(const AppState& state, FrameMemory& memory, bool reset_layout, Actions& actions);

}  // namespace warplens
