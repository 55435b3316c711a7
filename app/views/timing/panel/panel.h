// The Timing view in the window.
#pragma once

#include <memory>

#include "app/views/timing/picture.h"
#include "app/widgets/built.h"
#include "app/widgets/panel.h"
#include "app/widgets/parts.h"
#include "app/widgets/scrolled_picture.h"

namespace warplens {

struct TimingPanelState {
  TimingMode mode = TimingMode::steps;
  ShownPart part;
  Built<std::shared_ptr<const RunResult>, TimingView> view, baseline;
  ScrolledPictureState picture;
};

void draw_timing(const AppState& state, TimingPanelState& own, Actions& actions);

}  // namespace warplens
