// The Grid view shows which thread works on which element. It draws grid, block, warp and lane, in the same
// way in the window and in files.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/state/state.h"
#include "app/views/model/access_picture.h"
#include "app/views/model/footprint_digest.h"
#include "app/views/model/grid_map_picture.h"

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
  const BlockFootprint* footprint = nullptr;  // of the chosen block; null if not replayed (yet)
  const FootprintDigest* digest = nullptr;    // of `footprint` and `chosen`; null if that is null
  std::span<const IncidentMark> incidents = {};
  std::string footprint_message;  // why there is none
  std::optional<Dim3> problem;
  GridLevel level = GridLevel::grid;
  MapView map_view, block_view;
  Pick chosen, hovered;
  std::optional<size_t> access;  // in footprint->accesses; empty for the warp's first to global memory
  float free_at_right = 0;       // for a card: left free where the map is as large without it
  bool interactive = true;       // with clickable chips and breadcrumb
  bool show_writers = true;      // of a small launch; a lesson may ask for them
};

struct GridViewLayout {
  Box map_box, block_box, access_box;  // empty if not shown
  MapFrame map, block;
  Plane block_plane;
  AccessLayout access;
  std::vector<Box> threads;  // of a small launch, by linear index, above what they wrote; empty else
  std::optional<size_t> shown_access;
  float bottom = 0;
};

GridViewLayout draw_grid_view(Picture& picture, const Style& style, Box box, const GridViewInput& input);

// Area ids of the drawing.
// What a click beside the plane does.
enum class GridVerb : uint8_t { level, threads, warp, access, colouring, thread_at };
constexpr std::string_view name_of(GridVerb verb) {
  constexpr std::string_view names[] = {"level:", "threads:", "warp:", "access:", "colour:", "thread_at:"};
  return names[static_cast<size_t>(verb)];
}

}  // namespace warplens
