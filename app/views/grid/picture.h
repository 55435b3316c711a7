// The Grid view: which thread works on which element? Grid, block, warp and lane in one drawing, the same in
// the window and in files.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/model/access_picture.h"
#include "app/model/footprint_digest.h"
#include "app/model/grid_map_picture.h"
#include "app/state/state.h"

namespace warplens {

enum class GridLevel : uint8_t { grid, block, warp, lane };
constexpr std::array<GridLevel, 4> all_grid_levels = {GridLevel::grid, GridLevel::block, GridLevel::warp,
                                                      GridLevel::lane};
const char* name_of(GridLevel level);  // "warp"
std::optional<GridLevel> grid_level_from(std::string_view name);

struct GridViewInput {
  const RunResult* result = nullptr;
  const HeatMap* heat = nullptr;
  const KernelDescription* kernel = nullptr;  // for the index formula; may be null
  const BlockFootprint* footprint = nullptr;  // of the chosen block; null: not replayed (yet)
  const FootprintDigest* digest = nullptr;    // of `footprint` and `chosen`; null where that is null
  std::string footprint_message;              // why there is none
  std::optional<Dim3> problem;
  GridLevel level = GridLevel::grid;
  MapView map_view, block_view;
  Pick chosen, hovered;
  std::optional<size_t> access;  // in footprint->accesses; empty: the warp's first one of global memory
  bool interactive = true;       // with chips and breadcrumb that can be clicked
};

struct GridViewLayout {
  Box map_box, block_box, access_box;  // empty where the level or the room shows none
  MapFrame map, block;
  Plane block_plane;
  AccessLayout access;
  std::optional<size_t> shown_access;
  float bottom = 0;
};

GridViewLayout draw_grid_view(Picture& picture, const Style& style, Box box, const GridViewInput& input);

// Area ids of the drawing.
constexpr std::string_view level_id = "level:", warp_id = "warp:", access_id = "access:",
                           colouring_id = "colour:", save_id = "save";

}  // namespace warplens
