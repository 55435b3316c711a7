#include "app/views/model/grid_plane.h"

#include <algorithm>
#include <cmath>

namespace warplens {

namespace {

// With a larger ratio of its sides, a plane would be a thin line on the screen.
constexpr uint64_t longest_ratio = 24;
constexpr uint64_t slice_gap = 1;

uint64_t pleasant_columns(uint64_t cells) {
  const auto ideal = static_cast<uint64_t>(std::ceil(std::sqrt(1.6 * static_cast<double>(cells))));
  const uint64_t step = ideal <= 24 ? 8 : ideal <= 256 ? 16 : 64;
  return std::max<uint64_t>(step, ceil_div(ideal, step) * step);
}

}  // namespace

Plane make_plane(Dim3 extent, uint64_t fold) {
  Plane plane{extent};
  const uint64_t x = extent.x, y = extent.y;
  // A picture keeps its rows, however wide it is. Threads of a block may be folded by warps.
  const bool may_fold = extent.z == 1 && (x == 1 || y == 1 || fold != 0);
  if (may_fold && (x > longest_ratio * y || y > longest_ratio * x)) {
    plane.folded = true;
    plane.columns = std::min(fold != 0 ? fold : pleasant_columns(x * y), x * y);
    plane.rows = ceil_div(x * y, plane.columns);
    return plane;
  }
  if (extent.z > 1) {
    const double ideal =
        std::sqrt(1.6 * extent.z * static_cast<double>(y + slice_gap) / static_cast<double>(x + slice_gap));
    plane.slices_across = static_cast<uint32_t>(std::clamp(std::ceil(ideal), 1.0, double{1.0 * extent.z}));
  }
  const uint64_t across = plane.slices_across, down = ceil_div(extent.z, across);
  plane.columns = across * (x + slice_gap) - slice_gap;
  plane.rows = down * (y + slice_gap) - slice_gap;
  return plane;
}

std::optional<Dim3> position_in(const Plane& plane, Cell cell) {
  if (cell.column >= plane.columns || cell.row >= plane.rows) return std::nullopt;
  const Dim3& extent = plane.extent;
  if (plane.folded) {
    const uint64_t index = cell.row * plane.columns + cell.column;
    if (index >= extent.count()) return std::nullopt;
    return position_at(index, extent);
  }
  const uint64_t pitch_x = extent.x + slice_gap, pitch_y = extent.y + slice_gap;
  const uint64_t x = cell.column % pitch_x, y = cell.row % pitch_y;
  const uint64_t z = cell.row / pitch_y * plane.slices_across + cell.column / pitch_x;
  if (x >= extent.x || y >= extent.y || z >= extent.z) return std::nullopt;
  return Dim3{static_cast<uint32_t>(x), static_cast<uint32_t>(y), static_cast<uint32_t>(z)};
}

Cell cell_of(const Plane& plane, Dim3 position) {
  if (plane.folded) {
    const uint64_t index = linear_index(position, plane.extent);
    return {index % plane.columns, index / plane.columns};
  }
  return {position.z % plane.slices_across * (plane.extent.x + slice_gap) + position.x,
          position.z / plane.slices_across * (plane.extent.y + slice_gap) + position.y};
}

Box MapFrame::box_of(Cell at, uint64_t columns, uint64_t rows) const {
  return {static_cast<float>(x + cell * static_cast<double>(at.column)),
          static_cast<float>(y + cell * static_cast<double>(at.row)),
          static_cast<float>(cell * static_cast<double>(columns)),
          static_cast<float>(cell * static_cast<double>(rows))};
}

std::optional<Cell> MapFrame::cell_at(const Plane& plane, Point at) const {
  if (!canvas.contains(at) || cell <= 0) return std::nullopt;
  const double column = std::floor((at.x - x) / cell), row = std::floor((at.y - y) / cell);
  if (column < 0 || row < 0 || column >= static_cast<double>(plane.columns) ||
      row >= static_cast<double>(plane.rows))
    return std::nullopt;
  return Cell{static_cast<uint64_t>(column), static_cast<uint64_t>(row)};
}

MapFrame frame_of(uint64_t columns, uint64_t rows, Box canvas, MapView view, float largest_cell) {
  const auto width = static_cast<double>(columns), height = static_cast<double>(rows);
  const double fit = std::min({canvas.width / width, canvas.height / height, double{largest_cell}});
  MapFrame frame;
  frame.canvas = canvas;
  frame.cell = std::max(fit, 1e-9) * static_cast<double>(view.zoom);
  frame.x = canvas.centre().x - static_cast<double>(view.centre.x) * width * frame.cell;
  frame.y = canvas.centre().y - static_cast<double>(view.centre.y) * height * frame.cell;
  return frame;
}

Box without_room_at_right(uint64_t columns, uint64_t rows, Box canvas, float largest_cell, float room) {
  const Box narrower{canvas.x, canvas.y, canvas.width - room, canvas.height};
  if (narrower.width <= 0) return canvas;
  const double whole = frame_of(columns, rows, canvas, {}, largest_cell).cell;
  return frame_of(columns, rows, narrower, {}, largest_cell).cell < whole ? canvas : narrower;
}

MapView zoomed(uint64_t columns, uint64_t rows, Box canvas, MapView view, float largest_cell, Point at,
               float factor) {
  const MapFrame frame = frame_of(columns, rows, canvas, view, largest_cell);
  const double width = static_cast<double>(columns) * frame.cell,
               height = static_cast<double>(rows) * frame.cell;
  const double share_x = (at.x - frame.x) / width, share_y = (at.y - frame.y) / height;
  MapView next = view;
  next.zoom = std::clamp(view.zoom * factor, 1.0f, max_zoom);
  const double grown = static_cast<double>(next.zoom / view.zoom);
  next.centre.x = static_cast<float>(share_x - (at.x - canvas.centre().x) / (width * grown));
  next.centre.y = static_cast<float>(share_y - (at.y - canvas.centre().y) / (height * grown));
  if (next.zoom <= 1.0f) next.centre = {0.5f, 0.5f};
  next.centre = {std::clamp(next.centre.x, 0.0f, 1.0f), std::clamp(next.centre.y, 0.0f, 1.0f)};
  return next;
}

MapView panned(uint64_t columns, uint64_t rows, Box canvas, MapView view, float largest_cell, Point by) {
  const MapFrame frame = frame_of(columns, rows, canvas, view, largest_cell);
  MapView next = view;
  next.centre.x -= static_cast<float>(by.x / (static_cast<double>(columns) * frame.cell));
  next.centre.y -= static_cast<float>(by.y / (static_cast<double>(rows) * frame.cell));
  next.centre = {std::clamp(next.centre.x, 0.0f, 1.0f), std::clamp(next.centre.y, 0.0f, 1.0f)};
  return next;
}

std::vector<Box> filled_boxes(const Plane& plane, const MapFrame& frame) {
  const uint64_t over = plane.folded ? plane.columns * plane.rows - plane.extent.count() : 0;
  std::vector<Box> boxes;
  const auto add = [&](Box box) {
    box = intersection(box, frame.canvas);
    if (!box.empty()) boxes.push_back(box);
  };
  if (over == 0) {
    add(frame.box_of({0, 0}, plane.columns, plane.rows));
  } else {
    add(frame.box_of({0, 0}, plane.columns, plane.rows - 1));
    add(frame.box_of({0, plane.rows - 1}, plane.columns - over, 1));
  }
  return boxes;
}

VisibleCells visible_cells(uint64_t columns, uint64_t rows, const MapFrame& frame) {
  const auto clamp_to = [](double value, uint64_t limit) {
    return static_cast<uint64_t>(std::clamp(value, 0.0, static_cast<double>(limit)));
  };
  return {{clamp_to(std::floor((frame.canvas.x - frame.x) / frame.cell), columns),
           clamp_to(std::floor((frame.canvas.y - frame.y) / frame.cell), rows)},
          {clamp_to(std::ceil((frame.canvas.right() - frame.x) / frame.cell), columns),
           clamp_to(std::ceil((frame.canvas.bottom() - frame.y) / frame.cell), rows)}};
}

}  // namespace warplens
