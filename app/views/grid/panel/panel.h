// The Grid view in the window.
#pragma once

#include <memory>
#include <optional>

#include "app/views/grid/picture.h"
#include "app/widgets/built.h"
#include "app/widgets/draw_picture.h"
#include "app/widgets/panel.h"
#include "app/widgets/parts.h"
#include "app/widgets/save_popup.h"

namespace warplens {

// The inputs from which the map was made.
struct HeatKey {
  std::shared_ptr<const RunResult> result;
  std::optional<Dim3> problem;
  Colouring colouring = Colouring::blocks;
  Theme theme = Theme::dark;
  bool operator==(const HeatKey&) const = default;
};
struct HeatOfRun {
  HeatKey key;
  HeatMap map;
};

struct DigestKey {
  std::shared_ptr<const RunResult> result;
  std::shared_ptr<const BlockFootprint> footprint;
  Pick chosen;
  ThreadColouring threads = ThreadColouring::warps;
  bool operator==(const DigestKey&) const = default;
};

struct GridPanelState {
  GridLevel level = GridLevel::grid;
  ShownPart part;
  std::optional<GridLevel> asked;  // by a lesson, for as soon as something is held
  Colouring colouring = Colouring::blocks;
  ThreadColouring threads = ThreadColouring::warps;
  MapView map_view, block_view;
  std::optional<AccessName> access;
  bool hovering = false;  // this panel has set the shared hover
  Built<HeatKey, HeatOfRun> heat;
  Built<std::shared_ptr<const RunResult>, std::vector<IncidentMark>> incidents;
  Built<DigestKey, FootprintDigest> digest;
  TextureCache textures;
  SavePopupState save;

  static constexpr bool shows_pins = true;
  static auto built(auto& own) { return std::tie(own.heat); }
};

void draw_grid(const AppState& state, GridPanelState& own, Actions& actions);

}  // namespace warplens
