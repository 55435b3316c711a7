// The Image view in the window.
#pragma once

#include <memory>

#include "app/panels/built.h"
#include "app/panels/draw_picture.h"
#include "app/panels/live_view.h"
#include "app/panels/panels.h"
#include "app/panels/save_popup.h"
#include "app/view_model/image_view.h"

namespace warplens {

struct ImagesOfRun {
  std::shared_ptr<const RunResult> result;
  ImageSet set;
};

struct ElementsKey {
  std::shared_ptr<const RunResult> result;
  std::shared_ptr<const BlockFootprint> footprint;
  Pick chosen;
  bool operator==(const ElementsKey&) const = default;
};

struct ImagePanelState {
  ImageMode mode = ImageMode::split;
  float split = 0.47f;
  bool show_blocks = true;
  MapView view;
  bool hovering = false;   // the shared hover is this panel's
  bool splitting = false;  // the divider is being dragged
  Built<std::shared_ptr<const RunResult>, ImagesOfRun> images;
  Built<ElementsKey, ThreadElements> elements;
  TextureCache textures;
  LiveView live;
  SavePopupState save;
};

void draw_image(const AppState& state, ImagePanelState& own, Actions& actions);

}  // namespace warplens
