#include "app/views/grid/picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/base/draw/parts.h"
#include "app/base/format.h"
#include "app/views/grid/captions.h"
#include "app/views/model/grid_axes.h"
#include "app/views/model/index_formula.h"

namespace warplens {

const char* name_of(GridLevel level) {
  switch (level) {
    case GridLevel::grid:
      return "grid";
    case GridLevel::block:
      return "block";
    case GridLevel::warp:
      return "warp";
    case GridLevel::lane:
      return "lane";
  }
  return "";
}

std::optional<GridLevel> grid_level_from(std::string_view name) {
  for (const GridLevel level : all_grid_levels)
    if (name == name_of(level)) return level;
  return std::nullopt;
}

namespace {

// The division of the room. Narrow canvases show only the part for the level.
struct Parts {
  Box map, block, below;
};

Parts share_room(const Style& style, Box box, GridLevel level) {
  const bool narrow = box.width < style.px(560) || box.height < style.px(180);
  const float gap = style.px(20);
  if (level == GridLevel::grid) return {box, {}, {}};
  if (narrow) return level == GridLevel::block ? Parts{{}, box, {}} : Parts{{}, {}, box};
  const float map_share = level == GridLevel::block ? 0.38f : 0.48f;
  const float upper = level == GridLevel::block ? box.height : box.height * 0.6f;
  const float map_width = (box.width - gap) * map_share;
  Parts parts;
  parts.map = {box.x, box.y, map_width, upper};
  parts.block = {box.x + map_width + gap, box.y, box.width - gap - map_width, upper};
  if (level != GridLevel::block)
    parts.below = {box.x, box.y + upper + style.px(12), box.width, box.height - upper - style.px(12)};
  return parts;
}

// The map comes first: of its caption stays what fits into this share of the height.
constexpr float caption_share = 0.42f;

void draw_map_part(Picture& picture, const Style& style, const GridViewInput& input, Box part,
                   GridViewLayout& layout) {
  const float caption = std::min(map_caption_height(style, input, part.width), caption_share * part.height);
  layout.map_box = {part.x, part.y, part.width, std::max(style.px(40), part.height - caption)};
  const AxesRoom axes = room_for_axes(style, *input.heat, layout.map_box);
  layout.map_box = {part.x + axes.left, part.y + axes.top, part.width - axes.left,
                    layout.map_box.height - axes.top};
  // The map sits at the upper left, its caption right below it.
  const Plane& plane = input.heat->plane;
  if (input.map_view == MapView{}) {
    const MapFrame whole =
        frame_of(plane.columns, plane.rows, layout.map_box, {}, style.px(largest_block_cell));
    const Box shown = whole.box_of({0, 0}, plane.columns, plane.rows);
    if (input.level != GridLevel::grid) layout.map_box.width = std::min(layout.map_box.width, shown.width);
    layout.map_box.height = std::min(layout.map_box.height, shown.height);
  }
  layout.map = draw_grid_map(picture, style, layout.map_box, *input.heat, input.map_view,
                             {input.chosen.block, input.hovered.block, input.incidents});
  draw_axes(picture, style, *input.heat, layout.map, axes);
  float left = std::max(part.x, layout.map.box_of({0, 0}).x);
  if (part.right() - left < style.px(360)) left = part.x;
  draw_map_caption(picture, style, input,
                   {left, layout.map_box.bottom() + style.px(8), part.right() - left, caption});
}

void draw_block_part(Picture& picture, const Style& style, const GridViewInput& input, Box part,
                     GridViewLayout& layout) {
  const Dim3 block = input.result->shape.block;
  BlockPicture lanes;
  lanes.block = block;
  lanes.block_at = input.chosen.block.value_or(Dim3{0, 0, 0});
  lanes.plane = layout.block_plane = make_block_plane(block);
  lanes.problem = input.problem;
  lanes.incidents = input.incidents;
  if (input.level != GridLevel::block && input.chosen.thread)
    lanes.chosen_warp = warp_of(*input.chosen.thread, block);
  if (input.level == GridLevel::lane || input.level == GridLevel::block) lanes.chosen = input.chosen.thread;
  if (input.hovered.block == input.chosen.block) lanes.hovered = input.hovered.thread;
  if (input.digest != nullptr) lanes.work = &input.digest->work;
  if (input.digest != nullptr && input.digest->cost) lanes.cost = &*input.digest->cost;
  const bool chips = block_caption_height(style, input, part.width, true) < part.height * 0.4f;
  const float caption =
      std::min(block_caption_height(style, input, part.width, chips), caption_share * part.height);
  layout.block_box = {part.x, part.y, part.width, std::max(style.px(40), part.height - caption)};
  if (input.block_view == MapView{}) {
    const MapFrame whole =
        frame_of(lanes.plane.columns, lanes.plane.rows, layout.block_box, {}, style.px(largest_lane_cell));
    const Box shown = whole.box_of({0, 0}, lanes.plane.columns, lanes.plane.rows);
    layout.block_box.width = std::min(layout.block_box.width, shown.width);
    layout.block_box.height = std::min(layout.block_box.height, shown.height);
  }
  layout.block = draw_block_lanes(picture, style, layout.block_box, lanes, input.block_view);
  draw_block_caption(picture, style, input,
                     {part.x, layout.block_box.bottom() + style.px(8), part.width, caption}, chips);
}

// Without the room of a card where that costs the map nothing, and where threads are to be clicked.
Box room_beside_card(const Style& style, const GridViewInput& input, Box room) {
  const Box narrower{room.x, room.y, room.width - input.free_at_right, room.height};
  const Plane& plane = input.heat->plane;
  if (input.level != GridLevel::grid || writers_height(style, input, narrower) > 0) return narrower;
  return without_room_at_right(plane.columns, plane.rows, room, style.px(largest_block_cell),
                               input.free_at_right);
}

}  // namespace

GridViewLayout draw_grid_view(Picture& picture, const Style& style, Box box, const GridViewInput& input) {
  GridViewLayout layout;
  if (input.result == nullptr || input.heat == nullptr || input.heat->levels.empty()) return layout;
  const float top = draw_grid_header(picture, style, input, box);
  Box room = room_beside_card(style, input, {box.x, top, box.width, std::max(0.0f, box.bottom() - top)});
  // What a small launch wrote stands below. It has all blocks and threads in it, so where both have no room,
  // it stands alone.
  const Box whole = room;
  const bool upper = input.level == GridLevel::grid || input.level == GridLevel::block;
  const float writers = upper ? writers_height(style, input, room) : 0;
  const bool shows_writers = writers > 0 && writers <= room.height;
  const float gap = 1.7f * style.line();
  const bool alone = shows_writers && room.height - writers - gap <= style.px(180);
  room.height = alone ? 0 : room.height - (shows_writers ? writers + gap : 0);
  const Parts parts = alone ? Parts{} : share_room(style, room, input.level);
  if (!parts.map.empty()) draw_map_part(picture, style, input, parts.map, layout);
  Box block = parts.block;
  if (!block.empty() && !parts.map.empty() && input.map_view == MapView{}) {
    // If the map is narrower than its share, the block gets the rest.
    const float x = std::max(layout.map_box.right(), parts.map.x + style.px(300)) + style.px(28);
    block = {x, block.y, parts.block.right() - x, block.height};
  }
  if (!block.empty()) draw_block_part(picture, style, input, block, layout);
  if (!parts.below.empty()) {
    // Close the gap that a small map or block leaves.
    Box below = parts.below;
    if (input.level == GridLevel::lane) {
      draw_lane_part(picture, style, input, below);
    } else {
      layout.shown_access = draw_warp_part(picture, style, input, below, layout.access);
      layout.access_box = below;
    }
  }
  if (shows_writers)
    draw_writers(picture, style, input, whole,
                 {room.x, alone ? room.y : room.bottom() + gap, room.width, writers}, layout.threads);
  layout.bottom = box.bottom();
  return layout;
}

}  // namespace warplens
