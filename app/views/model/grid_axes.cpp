#include "app/views/model/grid_axes.h"

#include <algorithm>
#include <string>

#include "app/base/format.h"

namespace warplens {
namespace {

constexpr float least_side = 140;  // of a map with axes, at 100 %

// Every number of a power of two, so that neither they nor the axis's name touch.
uint64_t step_of(double cell, float needed) {
  uint64_t step = 1;
  while (cell * static_cast<double>(step) < static_cast<double>(needed)) step *= 2;
  return step;
}

// Rows of a folded row of blocks begin with the number of their first block.
uint64_t number_in_row(const Plane& plane, uint64_t row) { return plane.folded ? row * plane.columns : row; }

bool has_rows(const Plane& plane) { return plane.rows > 1; }

// Of blocks that lie in slices of z, each slice counts from 0.
bool is_flat(const Plane& plane) { return plane.extent.z == 1; }

std::string name_of_row(const Plane& plane) { return plane.folded ? "x ↓" : "y ↓"; }

void draw_columns(Picture& picture, const Style& style, const Plane& plane, const MapFrame& frame,
                  float top) {
  const float size = style.small(), y = frame.canvas.y - top / 2, gap = style.px(10);
  const Box whole = intersection(frame.box_of({0, 0}, plane.columns, plane.rows), frame.canvas);
  const float digits = style.width(std::to_string(plane.columns - 1), Font::mono, size);
  const std::string name =
      style.width("blockIdx.x →", Font::mono, size) < whole.width / 3 ? "blockIdx.x →" : "x →";
  const float end = whole.right() - style.width(name, Font::mono, size);
  picture.text({end, y}, name, Font::mono, size, solid(style.palette.quiet), AlignX::left, AlignY::middle);
  const VisibleCells visible = visible_cells(plane.columns, plane.rows, frame);
  const uint64_t step = step_of(frame.cell, digits + gap);
  for (uint64_t c = ceil_div(visible.first.column, step) * step; c < visible.last.column; c += step) {
    const float middle = frame.box_of({c, 0}).centre().x;
    if (middle - digits / 2 < whole.x - gap || middle + digits / 2 > end - gap) continue;
    picture.text({middle, y}, std::to_string(c), Font::mono, size, solid(style.palette.quiet), AlignX::centre,
                 AlignY::middle);
  }
}

void draw_rows(Picture& picture, const Style& style, const Plane& plane, const MapFrame& frame,
               AxesRoom room) {
  const float size = style.small(), right = std::max(frame.canvas.x, frame.box_of({0, 0}).x) - style.px(6);
  picture.text({right, frame.canvas.y - room.top / 2}, name_of_row(plane), Font::mono, size,
               solid(style.palette.quiet), AlignX::right, AlignY::middle);
  const VisibleCells visible = visible_cells(plane.columns, plane.rows, frame);
  const uint64_t step = step_of(frame.cell, size * 1.5f);
  for (uint64_t r = ceil_div(visible.first.row, step) * step; r < visible.last.row; r += step) {
    const float middle = frame.box_of({0, r}).centre().y;
    const bool at_name = middle - (frame.canvas.y - room.top / 2) < size * 1.3f;
    if (at_name || middle + size / 2 > frame.canvas.bottom()) continue;
    picture.text({right, middle}, std::to_string(number_in_row(plane, r)), Font::mono, size,
                 solid(style.palette.quiet), AlignX::right, AlignY::middle);
  }
}

}  // namespace

AxesRoom room_for_axes(const Style& style, const HeatMap& map, Box box) {
  const Plane& plane = map.plane;
  if (!is_flat(plane) || box.width < style.px(least_side) || box.height < style.px(least_side)) return {};
  AxesRoom room;
  room.top = style.small() * 1.6f;
  if (!has_rows(plane)) return room;
  const std::string last = std::to_string(number_in_row(plane, plane.rows - 1));
  room.left = style.px(10) + std::max(style.width(last, Font::mono, style.small()),
                                      style.width(name_of_row(plane), Font::mono, style.small()));
  return room;
}

void draw_axes(Picture& picture, const Style& style, const HeatMap& map, const MapFrame& frame,
               AxesRoom room) {
  if (room.top <= 0 || frame.cell <= 0) return;
  draw_columns(picture, style, map.plane, frame, room.top);
  if (room.left > 0) draw_rows(picture, style, map.plane, frame, room);
}

}  // namespace warplens
