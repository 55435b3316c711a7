// The positions of the blocks of a grid, or of the threads of a block, in a plane.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/base/draw/picture.h"
#include "core/base/dim3.h"

namespace warplens {

// A single long row or column is folded into rows (in reading order). Slices of z are side by side, one cell
// apart.
struct Plane {
  Dim3 extent;
  bool folded = false;
  uint64_t columns = 1, rows = 1;  // of the whole plane, including gaps between slices
  uint32_t slices_across = 1;
};

struct Cell {
  uint64_t column = 0, row = 0;
  bool operator==(const Cell&) const = default;
};

// `fold` is the number of columns of a folded row. With 0, the plane is about 1.6 times as wide as high.
Plane make_plane(Dim3 extent, uint64_t fold = 0);
// Empty in gaps between slices, after the last cell of a fold, and outside the plane.
std::optional<Dim3> position_in(const Plane& plane, Cell cell);
Cell cell_of(const Plane& plane, Dim3 position);

// The zoom and position of a map. Zoom 1 shows everything. `centre` is given in shares of the plane.
struct MapView {
  float zoom = 1;
  Point centre{0.5f, 0.5f};
  bool operator==(const MapView&) const = default;
};
constexpr float max_zoom = 4096;

// The position of the plane on the canvas, in canvas coordinates. When zoomed in, most of it is outside.
struct MapFrame {
  Box canvas;
  double x = 0, y = 0;  // of the plane's upper left corner
  double cell = 1;      // pixels per cell
  Box box_of(Cell at, uint64_t columns = 1, uint64_t rows = 1) const;
  std::optional<Cell> cell_at(const Plane& plane, Point at) const;
};

// `largest_cell` prevents a grid of one block from filling the screen at zoom 1.
MapFrame frame_of(uint64_t columns, uint64_t rows, Box canvas, MapView view, float largest_cell);
// The canvas without this room at its right, if the whole plane is as large without it.
Box without_room_at_right(uint64_t columns, uint64_t rows, Box canvas, float largest_cell, float room);
// zoomed(): zooms by `factor` and keeps the point under `at` in its place. panned(): moves by pixels.
MapView zoomed(uint64_t columns, uint64_t rows, Box canvas, MapView view, float largest_cell, Point at,
               float factor);
MapView panned(uint64_t columns, uint64_t rows, Box canvas, MapView view, float largest_cell, Point by);

// The parts of the canvas where the plane has cells, including gaps between slices. The last row of a fold
// may be short.
std::vector<Box> filled_boxes(const Plane& plane, const MapFrame& frame);

// The cells of a plane that a canvas shows: [first, last), clamped to the plane.
struct VisibleCells {
  Cell first, last;
};
VisibleCells visible_cells(uint64_t columns, uint64_t rows, const MapFrame& frame);

inline bool inside(Dim3 at, Dim3 extent) { return at.x < extent.x && at.y < extent.y && at.z < extent.z; }

}  // namespace warplens
