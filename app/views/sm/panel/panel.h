// The SM view in the window: zoom, play, and what the pointer is over.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>

#include "app/views/sm/picture.h"
#include "app/widgets/built.h"
#include "app/widgets/panel.h"
#include "app/widgets/save_popup.h"
#include "app/widgets/texture.h"

namespace warplens {

// A run's model, which is given up when another run is shown.
struct SmBuilt {
  Built<std::shared_ptr<const RunResult>, SmView> view;
  std::stop_source stop;
  std::shared_ptr<const RunResult> of;
  std::shared_ptr<const SmView> last;  // the last one that was not given up: it stays until the next is there
};

struct SmPanelState {
  SmBuilt now, baseline;
  std::optional<TimeRange> range;  // empty: all cycles
  std::optional<double> cursor;
  std::optional<uint32_t> scheduler = 0u;
  bool automatic = true;  // `scheduler` was not chosen
  bool playing = false, hovering = false;
  double seconds = 20;  // in which the cursor crosses the picture
  int drawn = -1;       // the frame in which it was drawn last
  SmBitmaps bitmaps;
  TextureCache textures;
  SavePopupState save;

  static auto built(auto& own) { return std::tie(own.now.view, own.baseline.view); }
  bool moves() const;
};

void draw_sm(const AppState& state, SmPanelState& own, Actions& actions);

}  // namespace warplens
