// The Memory view in the window.
#pragma once

#include <memory>

#include "app/panels/built.h"
#include "app/panels/draw_picture.h"
#include "app/panels/panels.h"
#include "app/panels/save_popup.h"
#include "app/view_model/memory_view.h"

namespace warplens {

struct MemoryPanelState {
  Built<std::shared_ptr<const RunResult>, MemoryView> view;
  TextureCache textures;
  SavePopupState save;
};

void draw_memory(const AppState& state, MemoryPanelState& own, Actions& actions);

}  // namespace warplens
