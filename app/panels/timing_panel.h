// The Timing view in the window.
#pragma once

#include <memory>

#include "app/panels/built.h"
#include "app/panels/draw_picture.h"
#include "app/panels/panels.h"
#include "app/panels/save_popup.h"
#include "app/view_model/timing_picture.h"

namespace warplens {

struct TimingPanelState {
  TimingMode mode = TimingMode::steps;
  Built<std::shared_ptr<const RunResult>, TimingView> view;
  TextureCache textures;
  SavePopupState save;
};

void draw_timing(const AppState& state, TimingPanelState& own, Actions& actions);

}  // namespace warplens
