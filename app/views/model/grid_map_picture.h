// The map of a grid's blocks, and the lanes of one block, as pictures.
#pragma once

#include <optional>
#include <span>

#include "app/base/draw/style.h"
#include "app/views/model/access_view.h"
#include "app/views/model/grid_plane.h"
#include "app/views/model/heat_map.h"
#include "app/views/model/incident_marks.h"
#include "app/views/model/thread_cost.h"

namespace warplens {

// The largest cell of a map at zoom 1 and 100 %.
constexpr float largest_block_cell = 240, largest_lane_cell = 110;

struct MapMarks {
  std::optional<Dim3> chosen, hovered;
  std::span<const IncidentMark> incidents = {};
};

// Fills `box` with the map. A cell is hollow if its block wrote nothing, and hatched if the problem needs a
// block that the grid does not have. Work is limited by the pixels of the box.
MapFrame draw_grid_map(Picture& picture, const Style& style, Box box, const HeatMap& map, MapView view,
                       const MapMarks& marks);

struct BlockPicture {
  Dim3 block;                           // extents
  Dim3 block_at;                        // which block
  Plane plane;                          // make_block_plane(block)
  std::optional<uint32_t> chosen_warp;  // the others are dimmed
  std::optional<Dim3> chosen, hovered;  // threads
  const ThreadWork* work = nullptr;     // of the replayed block; null if not known yet
  const ThreadCost* cost = nullptr;     // in whose colours the threads are; null for those of the warps
  std::span<const IncidentMark> incidents = {};
  std::optional<Dim3> problem;  // threads needed per axis
};
// A block of one row is folded by warps, with 32 lanes in each row.
Plane make_block_plane(Dim3 block);
// Whether this thread is outside the problem.
bool out_of_range(const BlockPicture& block, Dim3 thread);

MapFrame draw_block_lanes(Picture& picture, const Style& style, Box box, const BlockPicture& block,
                          MapView view);

uint32_t warp_colour(uint64_t warp);

}  // namespace warplens
