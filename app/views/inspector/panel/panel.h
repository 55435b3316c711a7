// The Inspector in the window.
#pragma once

#include <memory>

#include "app/views/inspector/model.h"
#include "app/widgets/built.h"
#include "app/widgets/panel.h"
#include "app/widgets/scrolled_picture.h"

namespace warplens {

struct InspectorKey {
  std::shared_ptr<const RunResult> result;
  std::shared_ptr<const BlockFootprint> footprint;
  Pick shown;
  bool stale = false;
  std::string lost;
  std::string message;  // if there is no footprint
  bool operator==(const InspectorKey&) const = default;
};

struct InspectorPanelState {
  Built<InspectorKey, InspectorView> view;
  ScrolledPictureState picture;
};

void draw_inspector(const AppState& state, InspectorPanelState& own, Actions& actions);

}  // namespace warplens
