// The Image view in the window.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/views/image/panel/live_panel.h"
#include "app/views/image/picture.h"
#include "app/widgets/built.h"
#include "app/widgets/draw_picture.h"
#include "app/widgets/panel.h"
#include "app/widgets/parts.h"
#include "app/widgets/save_popup.h"

namespace warplens {

struct ImagesKey {
  std::shared_ptr<const RunResult> result;
  std::string array;    // the chosen one; empty for the first
  bool masked = false;  // the result is to be guessed
  bool operator==(const ImagesKey&) const = default;
};
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

struct CostKey {
  std::shared_ptr<const ImagesOfRun> images;
  std::shared_ptr<const BlockFootprint> footprint;
  bool operator==(const CostKey&) const = default;
};

struct ImagePanelState {
  ImageMode mode = ImageMode::split;
  ShownPart part;
  float split = 0.47f;
  bool show_blocks = true, show_cost = false;
  MapView view;
  bool hovering = false;   // this panel has set the shared hover
  bool splitting = false;  // the divider is being dragged
  std::string array;       // that the user chose, by name
  Built<ImagesKey, ImagesOfRun> images;
  Built<ElementsKey, ThreadElements> elements;
  Built<CostKey, std::optional<BlockCost>> cost;
  TextureCache textures;
  LiveView live;
  SavePopupState save;

  static constexpr bool shows_pins = true;
  static auto built(auto& own) { return std::tie(own.images); }
};

void draw_image(const AppState& state, ImagePanelState& own, Actions& actions);

// The live picture in the view's panel.
LiveView& live_view_of(ViewPanel& image_panel);

}  // namespace warplens
