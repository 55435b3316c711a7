// The palette of commands, the list of keys, and About.
#pragma once

#include <string>

#include "app/widgets/panel.h"

namespace warplens {

struct DialogsState {
  Dialog shown = Dialog::none;  // shown in the last frame
  std::string typed;
  int chosen = 0;
};

void draw_dialogs(const AppState& state, DialogsState& own, Actions& actions);

}  // namespace warplens
