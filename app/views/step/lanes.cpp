// Warps as rows of lanes, and the values of one warp lane by lane.
#include <fmt/format.h>

#include <algorithm>

#include "app/base/draw/parts.h"
#include "app/base/format.h"
#include "app/views/step/picture_sections.h"

namespace warplens {
namespace {

enum class LaneState : uint8_t { active, waiting, off, finished };

LaneState state_of(const stepping::WarpView& warp, uint32_t lane) {
  if ((warp.live >> lane & 1) == 0) return LaneState::finished;
  for (const stepping::PathView& path : warp.paths) {
    if ((path.lanes >> lane & 1) == 0) continue;
    if (path.wait != stepping::Wait::none) return LaneState::waiting;
    return path.runs_next || (warp.active >> lane & 1) != 0 ? LaneState::active : LaneState::off;
  }
  return LaneState::off;
}

const char* words_of(LaneState state) {
  switch (state) {
    case LaneState::active:
      return "active";
    case LaneState::waiting:
      return "waits";
    case LaneState::off:
      return "masked off: another path runs first";
    case LaneState::finished:
      return "finished";
  }
  return "";
}

void draw_lane(Picture& picture, const Style& style, Box cell, LaneState state, uint32_t colour,
               bool bright) {
  const Palette& p = style.palette;
  const Colour dark_edge = style.theme == Theme::light ? solid(mix(colour, 0x000000, 0.45)) : solid(colour);
  switch (state) {
    case LaneState::active:
      return picture.rectangle(cell, solid(colour, bright ? 1.0f : 0.45f), style.px(2), dark_edge);
    case LaneState::waiting:
      return picture.rectangle(cell, {}, style.px(2), dark_edge, style.px(2));
    case LaneState::off:
      return picture.rectangle(cell, solid(mix(p.panel, colour, 0.22)), style.px(2), solid(p.line));
    case LaneState::finished:
      picture.rectangle({cell.centre().x - 1, cell.centre().y - 1, 2, 2}, solid(p.quiet));
  }
}

}  // namespace

float draw_step_warps(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                      uint32_t most, StepLayout& layout) {
  const StepSnapshot& shown = *input.shown;
  const Palette& p = style.palette;
  const auto count = static_cast<uint32_t>(shown.warps.size());
  const bool low = box.height > 0 && box.height < style.px(120);
  float y = box.y;
  if (!low)
    y = draw_heading(
        picture, style, {box.x, box.y},
        fmt::format("BLOCK {}, {}", position_text(input.block), count_text(count, "WARP", "WARPS")));
  // In a narrow column a warp's words are only its line; in a very narrow one they stand above the lanes,
  // which then have all of its width.
  const bool stacked = box.width < style.px(300), brief = box.width < style.px(460);
  const float name = style.width("warp 31", Font::mono, style.small()) + style.px(12);
  const float words = stacked ? 0 : brief ? style.px(66) : std::min(style.px(230), box.width * 0.36f);
  const float lanes_x = stacked ? box.x : box.x + name;
  const float step = std::clamp((box.right() - lanes_x - words) / warp_lanes, 3.0f, style.px(17));
  const float cell = step - std::max(1.0f, step * 0.14f);
  const float above = stacked ? style.px(20) : 0, row = std::max(cell + style.px(4), style.px(18)) + above;
  const uint32_t rows = std::min(count, most);
  const uint32_t first = std::min(shown.warp > rows / 2 ? shown.warp - rows / 2 : 0, count - rows);
  layout.first_warp = first;
  for (uint32_t number = first; number < first + rows; ++number, y += row) {
    const stepping::WarpView& warp = shown.warps[number];
    const uint32_t colour = group_colours[number % group_colours.size()];
    const bool now = number == shown.warp;
    const float middle = stacked ? y + style.px(9) : y + cell / 2;
    picture.text({box.x, middle}, fmt::format("warp {}", number), now ? Font::strong : Font::mono,
                 style.small(), solid(now ? p.text : p.quiet), AlignX::left, AlignY::middle);
    layout.warps.emplace_back();
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
      const Box square{lanes_x + step * static_cast<float>(lane), y + above, cell, cell};
      const LaneState state = state_of(warp, lane);
      draw_lane(picture, style, square, state, colour, now);
      if (now && lane == input.lane)
        picture.rectangle(square.inset(-2), {}, style.px(3), solid(p.text), style.px(1.5f));
      layout.warps.back().push_back(square);
      picture.area(square, input.interactive && now ? Click(StepVerb::lane, lane) : Click(),
                   fmt::format("warp {}, lane {}: {}", number, lane, words_of(state)));
    }
    const float x = stacked ? box.x + name : lanes_x + step * warp_lanes + style.px(10);
    const std::string whole = words_of_warp(shown, number);
    picture.text({x, middle},
                 shortened(style, brief && !stacked ? whole.substr(0, whole.find(',')) : whole, Font::words,
                           style.small(), box.right() - x),
                 Font::words, style.small(), solid(now ? p.text : p.quiet), AlignX::left, AlignY::middle);
    const float high = stacked ? style.px(18) : cell;
    picture.area({box.x, y, name, high}, input.interactive ? Click(StepVerb::warp, number) : Click(),
                 words_of_warp(shown, number));
    picture.area({x, y, std::max(0.0f, box.right() - x), high}, {}, words_of_warp(shown, number));
  }
  if (rows < count && !low) {
    picture.text({box.x, y},
                 rows == 1 ? fmt::format("of {} warps", count)
                           : fmt::format("warps {}–{} of {}", first, first + rows - 1, count),
                 Font::words, style.small(), solid(p.quiet));
    y += style.px(20);
  }
  return y + style.px(low ? 4 : 10);
}

}  // namespace warplens
