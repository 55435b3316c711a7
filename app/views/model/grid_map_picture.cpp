#include "app/views/model/grid_map_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/base/draw/parts.h"
#include "app/base/format.h"

namespace warplens {

namespace {

// From these sizes of a texel in pixels, cells have lines, can be hollow, and have texts.
constexpr double lines_from = 4, hollow_from = 10, words_from = 46;
constexpr float largest_words = 30;       // at 100 %; they grow with the cells
constexpr float share_of_blocks = 0.72f;  // of the colour, where a picture lies beneath

float gap_of(double cell) { return cell >= 24 ? 2.0f : 1.0f; }

// Each block lies over the pixels of its threads.
void draw_picture_beneath(Picture& picture, const HeatMap& map, const MapFrame& frame) {
  const Box cell = frame.box_of({0, 0});
  Bitmap bitmap;
  bitmap.box = {cell.x, cell.y,
                cell.width * static_cast<float>(map.picture->width) / static_cast<float>(map.block.x),
                cell.height * static_cast<float>(map.picture->height) / static_cast<float>(map.block.y)};
  bitmap.raster = map.picture;
  picture.shapes.emplace_back(std::move(bitmap));
}

void draw_levels(Picture& picture, const HeatMap& map, const MapFrame& frame, const HeatLevel& level) {
  Bitmap bitmap;
  bitmap.alpha = map.picture ? share_of_blocks : 1;
  bitmap.box = frame.box_of({0, 0}, uint64_t{level.raster->width} << level.shift,
                            uint64_t{level.raster->height} << level.shift);
  bitmap.raster = level.raster;
  bitmap.sampling = Sampling::nearest;
  picture.shapes.emplace_back(std::move(bitmap));
}

// Lines in the background colour separate the cells. Only those on the canvas are drawn.
void draw_cell_lines(Picture& picture, const Style& style, const Plane& plane, const MapFrame& frame,
                     uint32_t shift) {
  const uint64_t side = uint64_t{1} << shift;
  const double texel = frame.cell * static_cast<double>(side);
  if (texel < lines_from) return;
  const VisibleCells visible = visible_cells(plane.columns, plane.rows, frame);
  const Colour ground = solid(style.palette.panel);
  const float gap = gap_of(texel);
  const Box whole = intersection(frame.box_of({0, 0}, plane.columns, plane.rows), frame.canvas);
  for (uint64_t c = visible.first.column / side * side; c <= visible.last.column; c += side)
    picture.rectangle({frame.box_of({c, 0}).x - gap / 2, whole.y, gap, whole.height}, ground);
  for (uint64_t r = visible.first.row / side * side; r <= visible.last.row; r += side)
    picture.rectangle({whole.x, frame.box_of({0, r}).y - gap / 2, whole.width, gap}, ground);
}

void draw_hollow(Picture& picture, const Style& style, const HeatMap& map, const MapFrame& frame,
                 const HeatLevel& level) {
  const uint64_t side = uint64_t{1} << level.shift;
  const double texel = frame.cell * static_cast<double>(side);
  if (map.idle_blocks == 0 || texel < hollow_from) return;
  const VisibleCells visible = visible_cells(map.plane.columns, map.plane.rows, frame);
  for (uint64_t r = visible.first.row / side; r < ceil_div(visible.last.row, side); ++r) {
    for (uint64_t c = visible.first.column / side; c < ceil_div(visible.last.column, side); ++c) {
      if (level.states[r * level.raster->width + c] != BlockState::idle) continue;
      const Box box = frame.box_of({c * side, r * side}, side, side).inset(gap_of(texel));
      picture.rectangle(box, solid(style.palette.panel), 2, solid(style.palette.quiet));
    }
  }
}

void draw_outlines(Picture& picture, const Style& style, const HeatMap& map, const MapFrame& frame,
                   const HeatLevel& level) {
  if (style.theme != Theme::light || map.has_amounts || level.shift != 0 || frame.cell < hollow_from) return;
  const VisibleCells visible = visible_cells(map.plane.columns, map.plane.rows, frame);
  for (uint64_t r = visible.first.row; r < visible.last.row; ++r)
    for (uint64_t c = visible.first.column; c < visible.last.column; ++c) {
      const uint64_t texel = r * level.raster->width + c;
      if (level.states[texel] != BlockState::works) continue;
      const uint8_t* rgba = level.raster->rgba.data() + 4 * texel;
      const uint32_t rgb = uint32_t{rgba[0]} << 16 | uint32_t{rgba[1]} << 8 | rgba[2];
      picture.rectangle(frame.box_of({c, r}).inset(gap_of(frame.cell) / 2), {}, 0,
                        solid(outline_of(style, rgb)));
    }
}

// The part of a block whose threads have no element, at the right and the lower end of the problem.
Box part_inside(const HeatMap& map, Dim3 at, Box cell) {
  const auto share = [](uint32_t block, uint32_t extent, uint32_t needed) {
    const double first = double{1.0} * block * extent;
    return static_cast<float>(std::clamp((needed - first) / extent, 0.0, 1.0));
  };
  const Dim3 problem = *map.problem;
  return {cell.x, cell.y, cell.width * share(at.x, map.block.x, problem.x),
          cell.height * share(at.y, map.block.y, problem.y)};
}

void draw_tail(Picture& picture, const Style& style, const HeatMap& map, const MapFrame& frame) {
  if (map.tail_threads == 0 || !map.problem || frame.cell < hollow_from) return;
  const VisibleCells visible = visible_cells(map.plane.columns, map.plane.rows, frame);
  const float gap = gap_of(frame.cell);
  const auto hatch = [&](Box part) {
    if (part.width < 2 || part.height < 2) return;
    picture.rectangle(part, solid(style.palette.panel, 0.6f));
    picture.hatch(part, solid(style.palette.text, 0.8f), style.px(5));
  };
  for (uint64_t r = visible.first.row; r < visible.last.row; ++r) {
    for (uint64_t c = visible.first.column; c < visible.last.column; ++c) {
      const std::optional<Dim3> at = position_in(map.plane, {c, r});
      if (!at || !inside(*at, map.grid)) continue;
      const Box cell = frame.box_of({c, r}).inset(gap / 2), in = part_inside(map, *at, cell);
      hatch({in.right(), cell.y, cell.right() - in.right(), cell.height});
      hatch({cell.x, in.bottom(), in.width, cell.bottom() - in.bottom()});
    }
  }
}

void draw_block_words(Picture& picture, const Style& style, const HeatMap& map, const MapFrame& frame) {
  if (frame.cell < double{style.px(words_from)}) return;
  const float room = static_cast<float>(frame.cell);
  const std::string longest = position_text({map.grid.x - 1, map.grid.y - 1, map.grid.z - 1}, map.grid);
  float size = style.px(largest_words);
  while (size > style.small() && style.width(longest, Font::mono, size) > room * 0.7f) size -= 1;
  const VisibleCells visible = visible_cells(map.plane.columns, map.plane.rows, frame);
  const HeatLevel& finest = map.levels.front();
  if (finest.shift != 0) return;
  for (uint64_t r = visible.first.row; r < visible.last.row; ++r) {
    for (uint64_t c = visible.first.column; c < visible.last.column; ++c) {
      const std::optional<Dim3> at = position_in(map.plane, {c, r});
      const uint64_t texel = r * finest.raster->width + c;
      if (!at || finest.states[texel] == BlockState::uncovered) continue;
      const uint8_t* rgba = finest.raster->rgba.data() + 4 * texel;
      const uint32_t rgb = uint32_t{rgba[0]} << 16 | uint32_t{rgba[1]} << 8 | rgba[2];
      const std::string words = position_text(*at, map.grid);
      const Box box = frame.box_of({c, r});
      if (style.width(words, Font::mono, size) > box.width - 4) continue;
      const bool works = finest.states[texel] == BlockState::works;
      if (map.tail_threads > 0 && map.problem && inside(*at, map.grid) && part_inside(map, *at, box) != box) {
        const float width = style.width(words, Font::mono, size) + style.px(8);
        picture.rectangle({box.centre().x - width / 2, box.centre().y - size * 0.7f, width, size * 1.4f},
                          solid(style.palette.panel, 0.85f), style.px(3));
        picture.text(box.centre(), words, Font::mono, size, solid(style.palette.text), AlignX::centre,
                     AlignY::middle);
        continue;
      }
      picture.text(box.centre(), words, Font::mono, size, solid(works ? ink_on(rgb) : style.palette.quiet),
                   AlignX::centre, AlignY::middle);
    }
  }
}

// At least ten pixels large, so that one block of a million can be found.
void draw_mark(Picture& picture, const Style& style, const MapFrame& frame, Cell cell, Colour colour,
               float width, bool around_another = false) {
  Box box = frame.box_of(cell);
  float grow = std::max(0.0f, (10 - box.width) / 2);
  if (around_another && box.width < style.px(24))
    grow = std::max(grow, (style.px(14) - box.width) / 2) + width;
  box = box.inset(-grow - 1);
  // A rim in the background colour keeps it visible on every colour.
  picture.rectangle(box.inset(-1), {}, 3, solid(style.palette.panel), width + 2);
  picture.rectangle(box, {}, 2, colour, width);
}

}  // namespace

uint32_t warp_colour(uint64_t warp) { return group_colours[warp % group_colours.size()]; }

MapFrame draw_grid_map(Picture& picture, const Style& style, Box box, const HeatMap& map, MapView view,
                       const MapMarks& marks) {
  const MapFrame frame = frame_of(map.plane.columns, map.plane.rows, box, view, style.px(largest_block_cell));
  if (box.empty() || map.levels.empty()) return frame;
  picture.begin_clip(box);
  if (map.picture) draw_picture_beneath(picture, map, frame);
  if (map.uncovered_blocks > 0) {
    // Of a grid without slices and folds, only the part that the problem needs.
    const bool flat = !map.plane.folded && map.plane.extent.z == 1;
    const std::vector<Box> parts =
        flat ? std::vector{intersection(frame.box_of({0, 0}, map.needed.x, map.needed.y), frame.canvas)}
             : filled_boxes(map.plane, frame);
    for (const Box& part : parts) picture.hatch(part, solid(style.palette.warning, 0.8f));
  }
  const HeatLevel& level = level_for(map, frame.cell);
  draw_levels(picture, map, frame, level);
  draw_cell_lines(picture, style, map.plane, frame, level.shift);
  draw_hollow(picture, style, map, frame, level);
  draw_outlines(picture, style, map, frame, level);
  draw_tail(picture, style, map, frame);
  draw_block_words(picture, style, map, frame);
  std::optional<Dim3> last;  // one mark for all incidents of a block
  for (const IncidentMark& mark : marks.incidents) {
    if (last == mark.block || !inside(mark.block, map.plane.extent)) continue;
    last = mark.block;
    draw_incident_mark(picture, style, frame.box_of(cell_of(map.plane, mark.block)), mark);
  }
  if (marks.hovered && inside(*marks.hovered, map.plane.extent))
    draw_mark(picture, style, frame, cell_of(map.plane, *marks.hovered), solid(style.palette.text),
              style.px(1.5f));
  if (marks.chosen && inside(*marks.chosen, map.plane.extent))
    draw_mark(picture, style, frame, cell_of(map.plane, *marks.chosen), solid(style.palette.accent),
              style.px(3), std::ranges::any_of(marks.incidents, [&](const IncidentMark& mark) {
                return mark.is_of(*marks.chosen);
              }));
  picture.end_clip();
  return frame;
}

Plane make_block_plane(Dim3 block) { return make_plane(block, block.x == 1 ? 0 : warp_lanes); }

bool out_of_range(const BlockPicture& block, Dim3 thread) {
  if (!block.problem) return false;
  const auto beyond = [](uint32_t block_at, uint32_t extent, uint32_t at, uint32_t needed) {
    return uint64_t{block_at} * extent + at >= needed;
  };
  return beyond(block.block_at.x, block.block.x, thread.x, block.problem->x) ||
         beyond(block.block_at.y, block.block.y, thread.y, block.problem->y) ||
         beyond(block.block_at.z, block.block.z, thread.z, block.problem->z);
}

namespace {

// The texts in the cells: threadIdx if all of them fit, otherwise the lanes of the chosen warp. Size 0 means
// no text.
struct LaneWords {
  bool positions = false;
  float size = 0;
};

std::string plain_position(Dim3 at, Dim3 extent) {
  std::string words = std::to_string(at.x);
  if (extent.y > 1 || extent.z > 1) words += "," + std::to_string(at.y);
  if (extent.z > 1) words += "," + std::to_string(at.z);
  return words;
}

LaneWords lane_words(const Style& style, const BlockPicture& block, float room) {
  const Dim3 last{block.block.x - 1, block.block.y - 1, block.block.z - 1};
  const bool positions = !block.chosen_warp;
  const std::string longest = block.cost != nullptr ? std::to_string(block.cost->high)
                              : positions           ? plain_position(last, block.block)
                                                    : "31";
  // As large as the cell allows.
  for (float size = largest_words; size >= 9; size -= 1)
    if (style.px(size) <= room * 0.6f && style.width(longest, Font::mono, style.px(size)) <= room * 0.84f - 2)
      return {positions, style.px(size)};
  return {};
}

// Lanes of other warps are fainter where one is chosen.
void draw_cost(Picture& picture, const Style& style, const BlockPicture& block, uint64_t thread, Box box,
               LaneWords how) {
  const ThreadCost& cost = *block.cost;
  const bool dimmed = block.chosen_warp && *block.chosen_warp != thread / warp_lanes;
  const uint32_t colour = cost.colour_of(thread),
                 ground = dimmed ? mix(style.palette.panel, colour, 0.38) : colour;
  picture.rectangle(box, solid(ground), box.width >= 12 ? 2.0f : 0.0f);
  if (how.size <= 0 || thread >= cost.amounts.size() || dimmed) return;
  picture.text(box.centre(), std::to_string(cost.amounts[thread]), Font::mono, how.size,
               solid(ink_on(ground)), AlignX::centre, AlignY::middle);
}

void draw_lane(Picture& picture, const Style& style, const BlockPicture& block, Dim3 thread, Box cell,
               LaneWords how) {
  const uint64_t linear = linear_index(thread, block.block), warp = linear / warp_lanes;
  const uint32_t colour = warp_colour(warp);
  const bool dimmed = block.chosen_warp && *block.chosen_warp != warp;
  const uint32_t shown = dimmed ? mix(style.palette.panel, colour, 0.38) : colour;
  const Box box = cell.inset(cell.width >= 10 ? 1.0f : 0.5f);
  const float rounding = cell.width >= 14 ? 2.0f : 0.0f;
  const bool outside = out_of_range(block, thread);
  const bool wrote =
      block.work == nullptr || (linear < block.work->wrote.size() && block.work->wrote[linear]);
  const bool touched =
      block.work == nullptr || (linear < block.work->touched.size() && block.work->touched[linear]);
  if (block.cost != nullptr) {
    draw_cost(picture, style, block, linear, box, how);
    return;
  }
  uint32_t ground = shown;
  const Colour line = solid(outline_of(style, shown));
  if (outside || !touched) {
    ground = style.palette.panel;
    picture.rectangle(box, {}, rounding, line, cell.width >= 14 ? 1.5f : 1.0f);
  } else if (!wrote) {
    ground = mix(style.palette.panel, shown, 0.35);
    picture.rectangle(box, solid(ground), rounding, line, cell.width >= 14 ? 1.5f : 1.0f);
  } else {
    picture.rectangle(box, solid(shown), rounding, style.theme == Theme::light ? line : Colour{});
  }
  if (how.size <= 0 || (!how.positions && block.chosen_warp != warp)) return;
  picture.text(cell.centre(),
               how.positions ? plain_position(thread, block.block) : std::to_string(linear % warp_lanes),
               Font::mono, how.size, solid(ink_on(ground)), AlignX::centre, AlignY::middle);
}

}  // namespace

MapFrame draw_block_lanes(Picture& picture, const Style& style, Box box, const BlockPicture& block,
                          MapView view) {
  const Plane& plane = block.plane;
  const MapFrame frame = frame_of(plane.columns, plane.rows, box, view, style.px(largest_lane_cell));
  if (box.empty()) return frame;
  picture.begin_clip(box.inset(-2));
  // A block has at most 1,024 threads on every device so far; the canvas bounds the work in any case.
  const VisibleCells visible = visible_cells(plane.columns, plane.rows, frame);
  const LaneWords words = lane_words(style, block, static_cast<float>(frame.cell) - 2);
  for (uint64_t row = visible.first.row; row < visible.last.row; ++row)
    for (uint64_t column = visible.first.column; column < visible.last.column; ++column)
      if (const std::optional<Dim3> thread = position_in(plane, {column, row}))
        draw_lane(picture, style, block, *thread, frame.box_of({column, row}), words);
  for (const IncidentMark& mark : block.incidents)
    if (mark.is_of(block.block_at) && inside(mark.thread, block.block))
      draw_incident_mark(picture, style, frame.box_of(cell_of(plane, mark.thread)), mark);
  if (block.hovered && inside(*block.hovered, block.block))
    draw_mark(picture, style, frame, cell_of(plane, *block.hovered), solid(style.palette.text),
              style.px(1.5f));
  if (block.chosen && inside(*block.chosen, block.block))
    draw_mark(picture, style, frame, cell_of(plane, *block.chosen), solid(style.palette.accent), style.px(3),
              std::ranges::any_of(block.incidents, [&](const IncidentMark& mark) {
                return mark.is_of(block.block_at, *block.chosen);
              }));
  picture.end_clip();
  return frame;
}

}  // namespace warplens
