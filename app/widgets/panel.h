// What a panel is:
//
//   struct GridPanelState { … };                                              // its own scroll, zoom,
//   textures void draw_grid(const AppState& state, GridPanelState& own, Actions& actions);
//
// It draws inside the ImGui window that the frame has begun, keeps nothing outside `own`, pushes intents into
// `actions`, and does work bounded by what is visible. Colours, fonts: app/widgets/look.h; building blocks:
// widgets.h. `own` is made and destroyed while the GL context is current, so it may hold textures.
#pragma once

#include "app/state/actions.h"
#include "app/state/state.h"
