// Warps as rows of lanes, and the values of one warp lane by lane.
#include <fmt/format.h>

#include <algorithm>

#include "app/base/format.h"
#include "app/draw/parts.h"
#include "app/views/step/picture_parts.h"

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

// At most this many warps are shown, with the shown one among them.
constexpr uint32_t most_warps = 8;

uint32_t lane_columns(const Style& style, float width, const std::vector<StepValue>& values) {
  float widest = style.width("31", Font::mono, style.small());
  for (const StepValue& value : values)
    if (value.folded.empty())
      for (const std::string& text : value.lanes)
        widest = std::max(widest, style.width(text, Font::mono, style.small()));
  const float column = std::min(widest, style.px(96)) + style.px(10);
  return std::clamp(static_cast<uint32_t>(std::max(0.0f, width) / column), 1u, warp_lanes);
}

}  // namespace

float draw_step_warps(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                      StepLayout& layout) {
  const StepSnapshot& shown = *input.shown;
  const Palette& p = style.palette;
  const auto count = static_cast<uint32_t>(shown.warps.size());
  float y = draw_heading(
      picture, style, box.x == 0 ? Point{0, box.y} : Point{box.x, box.y},
      fmt::format("BLOCK {}, {}", position_text(input.block), count_text(count, "WARP", "WARPS")));
  const float name = style.width("warp 31", Font::mono, style.small()) + style.px(12);
  const float words = std::min(style.px(230), box.width * 0.36f);
  const float step = std::clamp((box.width - name - words) / warp_lanes, style.px(6), style.px(17));
  const float cell = step - std::max(1.0f, step * 0.14f), row = std::max(cell + style.px(4), style.px(18));
  const uint32_t rows = std::min(count, most_warps);
  const uint32_t first = std::min(shown.warp > rows / 2 ? shown.warp - rows / 2 : 0, count - rows);
  layout.first_warp = first;
  for (uint32_t number = first; number < first + rows; ++number, y += row) {
    const stepping::WarpView& warp = shown.warps[number];
    const uint32_t colour = group_colours[number % group_colours.size()];
    const bool now = number == shown.warp;
    const float middle = y + cell / 2;
    picture.text({box.x, middle}, fmt::format("warp {}", number), now ? Font::strong : Font::mono,
                 style.small(), solid(now ? p.text : p.quiet), AlignX::left, AlignY::middle);
    layout.warps.emplace_back();
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
      const Box square{box.x + name + step * static_cast<float>(lane), y, cell, cell};
      const LaneState state = state_of(warp, lane);
      draw_lane(picture, style, square, state, colour, now);
      if (now && lane == input.lane)
        picture.rectangle(square.inset(-2), {}, style.px(3), solid(p.text), style.px(1.5f));
      layout.warps.back().push_back(square);
      picture.area(square, input.interactive && now ? fmt::format("{}{}", step_lane_id, lane) : "",
                   fmt::format("warp {}, lane {}: {}", number, lane, words_of(state)));
    }
    const float x = box.x + name + step * warp_lanes + style.px(10);
    picture.text({x, middle},
                 shortened(style, words_of_warp(shown, number), Font::words, style.small(), box.right() - x),
                 Font::words, style.small(), solid(now ? p.text : p.quiet), AlignX::left, AlignY::middle);
    picture.area({box.x, y, name, cell}, input.interactive ? fmt::format("{}{}", step_warp_id, number) : "",
                 words_of_warp(shown, number));
    picture.area({x, y, std::max(0.0f, box.right() - x), cell}, "", words_of_warp(shown, number));
  }
  if (rows < count)
    picture.text({box.x, y}, fmt::format("warps {}–{} of {}", first, first + rows - 1, count), Font::words,
                 style.small(), solid(p.quiet));
  return y + style.px(rows < count ? 26 : 10);
}

float draw_step_values(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                       StepLayout& layout) {
  const StepSnapshot& shown = *input.shown;
  const Palette& p = style.palette;
  const bool named = shown.no_variables.empty() && !input.show_ptx;
  const std::vector<StepValue>& values = named ? shown.variables : shown.registers;
  float y = draw_heading(picture, style, {box.x, box.y},
                         fmt::format("{} OF WARP {}", named ? "VARIABLES" : "REGISTERS", shown.warp));
  if (!shown.no_variables.empty())
    y = draw_paragraph(picture, style, {box.x, y}, shown.no_variables, Font::words, style.small(),
                       solid(p.quiet), box.width) +
        style.px(4);
  if (values.empty())
    return draw_paragraph(picture, style, {box.x, y},
                          named ? "None is in scope here." : "None holds a value yet.", Font::words,
                          style.small(), solid(p.quiet), box.width) +
           style.px(8);
  float name = style.px(40), type = style.px(40);
  for (const StepValue& value : values) {
    name = std::max(name, style.width(value.name, Font::mono, style.small()) + style.px(14));
    type = std::max(type, style.width(value.type, Font::mono, style.small()) + style.px(14));
  }
  name = std::min(name, box.width * 0.22f);
  type = std::min(type, box.width * 0.18f);
  const float row = style.px(20);
  const float x = box.x + name + type, width = box.right() - x;
  const uint32_t columns = lane_columns(style, width, values);
  const float column = width / static_cast<float>(columns);
  const uint32_t first = std::min(input.lane / columns * columns, warp_lanes - columns);
  picture.text({x - style.px(8), y + row / 2}, "lane", Font::words, style.small(), solid(p.quiet),
               AlignX::right, AlignY::middle);
  for (uint32_t lane = first; lane < first + columns; ++lane)
    picture.text({x + column * static_cast<float>(lane - first + 1) - style.px(6), y + row / 2},
                 std::to_string(lane), Font::mono, style.small(),
                 solid(lane == input.lane ? p.text : p.quiet), AlignX::right, AlignY::middle);
  y += row;
  // Variables keep their order, the innermost at the end. Of the many registers, changed ones stand first.
  std::vector<const StepValue*> order;
  for (const bool changed : {true, false})
    for (const StepValue& value : values)
      if (named ? changed : (value.changed != 0) == changed) order.push_back(&value);
  const float room = std::max(box.bottom() - y - style.px(90), row * 4);
  const auto rows = static_cast<size_t>(std::max(1.0f, room / row));
  for (size_t i = 0; i < std::min(order.size(), rows); ++i, y += row) {
    const StepValue& value = *order[i];
    const Box line{box.x, y, box.width, row};
    layout.values.push_back(line);
    if (value.changed != 0) picture.rectangle(line, solid(mix(p.panel, p.accent, 0.16)), style.px(3));
    picture.text({box.x + style.px(4), line.centre().y},
                 shortened(style, value.name, Font::mono, style.small(), name - style.px(8)), Font::mono,
                 style.small(), solid(p.text), AlignX::left, AlignY::middle);
    picture.text({box.x + name, line.centre().y},
                 shortened(style, value.type, Font::mono, style.small(), type - style.px(8)), Font::mono,
                 style.small(), solid(p.quiet), AlignX::left, AlignY::middle);
    if (!value.folded.empty()) {
      const bool has = value.set != 0;
      picture.text({x + style.px(4), line.centre().y},
                   shortened(style, value.folded, has ? Font::mono : Font::words, style.small(), width),
                   has ? Font::mono : Font::words, style.small(),
                   solid(value.changed != 0 ? p.accent
                         : has              ? p.text
                                            : p.quiet),
                   AlignX::left, AlignY::middle);
      continue;
    }
    for (uint32_t lane = first; lane < first + columns; ++lane) {
      const bool set = (value.set >> lane & 1) != 0, changed = (value.changed >> lane & 1) != 0;
      picture.text(
          {x + column * static_cast<float>(lane - first + 1) - style.px(6), line.centre().y},
          set ? shortened(style, value.lanes[lane], Font::mono, style.small(), column - style.px(8)) : "–",
          Font::mono, style.small(),
          solid(changed ? p.accent
                : set   ? p.text
                        : p.quiet),
          AlignX::right, AlignY::middle);
    }
  }
  if (order.size() > rows) {
    picture.text({box.x, y}, fmt::format("and {} more", order.size() - rows), Font::words, style.small(),
                 solid(p.quiet));
    y += row;
  }
  return y + style.px(8);
}

}  // namespace warplens
