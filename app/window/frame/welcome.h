// The card of the first start. It says where to look, and goes for good with a click or Esc.
#pragma once

#include "app/widgets/panel.h"

namespace warplens {

void draw_welcome(const AppState& state, Actions& actions);

}  // namespace warplens
