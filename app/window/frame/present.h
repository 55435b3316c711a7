// Present mode: a single view fills the screen.
#pragma once

#include "app/window/frame/frame.h"

namespace warplens {

// The docked panels are kept, and come back unchanged.
void draw_present(const AppState& state, FrameMemory& memory, Actions& actions);

}  // namespace warplens
