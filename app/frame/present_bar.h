// The thin bar of present mode: kernel, block and grid. It comes with the pointer at the lower edge of the
// screen.
#pragma once

#include <imgui.h>

#include "app/frame/pickers.h"

namespace warplens {

struct PresentBarState {
  PickersState pickers;
  bool was_here = false;  // present mode was on in the last frame
  bool new_here = false;  // the pointer has not moved since present mode began: the bar shows itself once
  bool by_keys = false;   // Tab has called it, and the pointer has not moved since then
  ImVec2 began_at{0, 0};  // where the pointer was when it came by itself or by a key
};

// Returns its upper edge, or the lower edge of the screen while it is away.
float draw_present_bar(const AppState& state, PresentBarState& own, Actions& actions);

}  // namespace warplens
