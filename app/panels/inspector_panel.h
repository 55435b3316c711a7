// What is under the pointer, or pinned.
#pragma once

#include "app/panels/draw_picture.h"
#include "app/panels/panels.h"

namespace warplens {

struct InspectorPanelState {
  TextureCache textures;
};

void draw_inspector(const AppState& state, InspectorPanelState& own, Actions& actions);

}  // namespace warplens
