// The device, what the worker does (with Cancel), and hints. If there is not enough room, the least
// important parts are left out.
#pragma once

#include "app/widgets/panel.h"

namespace warplens {

void draw_status_bar(const AppState& state, Actions& actions);

// "run 3 · 18.2 ms on this machine", "running · 40 %", "Block changed: not run yet".
std::string status_text(const AppState& state);

}  // namespace warplens
