#include "app/views/occupancy/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/base/draw/parts.h"
#include "app/base/format.h"
#include "app/views/occupancy/picture_sections.h"

namespace warplens {

namespace {

constexpr uint32_t used_colour = group_colours[2], wasted_colour = group_colours[3];

// A quiet line and, if there is a formula, where its numbers come from. Returns the y below it.
float draw_sourced_line(Picture& picture, const Style& style, Point at, float room, const std::string& line,
                        Provenance source, const std::string& formula) {
  const float words = style.width(line, Font::words, style.body());
  picture.text(at, shortened(style, line, Font::words, style.body(), room), Font::words, style.body(),
               solid(style.palette.quiet));
  if (!formula.empty() && words + source_tag_width(style, source) + style.px(10) <= room)
    draw_source_tag(picture, style, {at.x + words + style.px(10), at.y}, source, formula);
  return at.y + style.px(24);
}

float draw_answer(Picture& picture, const Style& style, Box box, const OccupancyView& view, bool interactive,
                  std::string_view ratio) {
  const Palette& p = style.palette;
  float right = box.right();
  if (interactive) {
    right -= chip_width(style, "save…");
    draw_chip(picture, style, {right, box.y}, "save…", false, SaveVerb::save,
              "Save this picture as PNG or SVG, or its numbers as CSV");
  }
  constexpr std::string_view question = "WHAT LIMITS THE NUMBER OF RESIDENT WARPS?";
  const bool question_fits = style.width(question, Font::strong, style.small()) < right - box.x;
  float y = box.y + (question_fits ? style.px(2) : chip_height(style) + style.px(8));
  right = question_fits ? right - style.px(8) : box.right();
  y = draw_heading(picture, style, {box.x, y}, question);
  const float figure = style.px(38), title = style.px(22);
  const float width = view.figure.empty() ? 0 : style.width(view.figure, Font::strong, figure) + style.px(18);
  if (!view.figure.empty())
    picture.text({box.x, y - style.px(2)}, view.figure, Font::strong, figure, solid(p.text));
  const bool beside = box.width - width >= style.px(320);
  const float x = beside ? box.x + width : box.x;
  if (!beside && width > 0) y += style.px(46);
  const uint32_t colour = view.refused ? p.fault : p.text;
  const float top = y;
  y = draw_paragraph(picture, style, {x, y}, view.limiter, Font::strong, title, solid(colour), right - x);
  if (!view.residents.empty()) {
    const std::string residents = fmt::format("{}{}{}", view.residents, ratio.empty() ? "" : " · ", ratio);
    y = draw_sourced_line(picture, style, {x, y}, box.right() - x, residents, Provenance::derived,
                          view.formula);
  }
  if (!view.achieved.empty())
    y = draw_sourced_line(picture, style, {x, y}, box.right() - x, view.achieved, AchievedOccupancy::source,
                          view.achieved_formula);
  if (beside && width > 0) y = std::max(y, top + style.px(46));
  std::string reason = view.reason;
  if (!view.advice.empty()) reason += " " + view.advice;
  y = draw_paragraph(picture, style, {box.x, y + style.px(2)}, reason, Font::words, style.body(),
                     solid(p.text), box.width);
  return y + style.px(8);
}

// Large enough to be read from the back row, on a ground of its own.
void draw_part_word(Picture& picture, const Style& style, Box part, std::string_view word, uint32_t ink,
                    uint32_t ground) {
  const float width = style.width(word, Font::strong, style.small());
  if (part.width < width + style.px(14)) return;
  picture.rectangle({part.centre().x - width / 2 - style.px(4), part.y + style.px(2), width + style.px(8),
                     part.height - style.px(4)},
                    solid(ground), style.px(3));
  picture.text(part.centre(), word, Font::strong, style.small(), solid(ink), AlignX::centre, AlignY::middle);
}

void draw_bar(Picture& picture, const Style& style, const ResourceBar& bar, Box track,
              OccupancyLayout& layout) {
  const Palette& p = style.palette;
  const double scale =
      bar.capacity == 0 ? 0 : static_cast<double>(track.width) / static_cast<double>(bar.capacity);
  const auto part = [&](uint64_t before, uint64_t amount) {
    return Box{track.x + static_cast<float>(static_cast<double>(before) * scale), track.y,
               static_cast<float>(static_cast<double>(amount) * scale), track.height};
  };
  const OccupancyLayout::Bar drawn{track, part(0, bar.used), part(bar.used, bar.wasted),
                                   part(bar.used + bar.wasted, bar.blocked)};
  picture.rectangle(track, solid(p.raised), style.px(3));
  if (!drawn.used.empty()) picture.rectangle(drawn.used, solid(used_colour), style.px(3));
  if (!drawn.wasted.empty()) {
    picture.rectangle(drawn.wasted, solid(mix(p.raised, wasted_colour, 0.45)));
    picture.hatch(drawn.wasted, solid(p.text, 0.8f), style.px(4));
  }
  if (!drawn.blocked.empty() && bar.known) {
    picture.rectangle(drawn.blocked, {}, style.px(3), solid(p.quiet));
    picture.hatch(drawn.blocked, solid(p.quiet, 0.5f), style.px(12));
  }
  if (bar.per_block > 0 && scale * static_cast<double>(bar.per_block) > 4)
    for (uint64_t at = bar.per_block; at < bar.used + bar.wasted; at += bar.per_block)
      picture.rectangle({part(0, at).right() - 0.75f, track.y, 1.5f, track.height}, solid(p.panel));
  draw_part_word(picture, style, drawn.used, "used", ink_on(used_colour), used_colour);
  draw_part_word(picture, style, drawn.wasted, "wasted", p.text, p.panel);
  if (bar.known) draw_part_word(picture, style, drawn.blocked, "blocked", p.text, p.panel);
  if (bar.limits)
    picture.rectangle({track.x - 2, track.y - 2, track.width + 4, track.height + 4}, {}, style.px(4),
                      solid(p.accent), style.px(2));
  layout.bars.push_back(drawn);
}

// A word with an arrow to the bar. `at` is its right end.
void draw_limiter(Picture& picture, const Style& style, Point at) {
  const Colour colour = solid(style.palette.accent);
  picture.text(at, "limiter", Font::strong, style.small(), colour, AlignX::right, AlignY::middle);
  const float x = at.x - style.width("limiter", Font::strong, style.small()) - style.px(6),
              half = style.px(5);
  Path head;
  head.points = {{x - style.px(8), at.y}, {x, at.y - half}, {x, at.y + half}};
  head.closed = true;
  head.fill = colour;
  picture.shapes.emplace_back(std::move(head));
}

float draw_bars(Picture& picture, const Style& style, Box box, const OccupancyView& view,
                OccupancyLayout& layout) {
  const Palette& p = style.palette;
  const float name = style.px(118), pitch = style.px(31), height = style.px(20);
  float words = 0;
  for (const ResourceBar& bar : view.bars)
    words = std::max(words, style.width(bar.words, Font::mono, style.small()));
  const float tail =
      words + style.px(26) + style.width("limiter", Font::strong, style.small()) + style.px(14);
  const bool beside = box.width - name - tail >= style.px(180);
  float y = box.y + style.px(4);
  for (const ResourceBar& bar : view.bars) {
    Box track{box.x + name, y, box.width - name - tail, height};
    if (!beside) track = {box.x, y + style.px(20), box.width, height};
    const float middle = beside ? track.centre().y : y + style.px(8);
    picture.text({box.x, middle}, bar.name, Font::words, style.body(), solid(bar.limits ? p.text : p.quiet),
                 AlignX::left, AlignY::middle);
    const float x = beside ? track.right() + style.px(14) : box.x + name + style.px(10);
    picture.text({x, middle}, shortened(style, bar.words, Font::mono, style.small(), box.right() - x),
                 Font::mono, style.small(), solid(bar.known ? p.text : p.quiet), AlignX::left,
                 AlignY::middle);
    if (bar.limits) draw_limiter(picture, style, {box.right(), middle});
    draw_bar(picture, style, bar, track, layout);
    picture.area({box.x, y, box.width, beside ? pitch : pitch + style.px(20)}, {}, bar.formula);
    y += beside ? pitch : pitch + style.px(20);
  }
  struct Key {
    Swatch swatch;
    Colour colour;
    const char* words;
  };
  const std::array<Key, 3> keys = {
      {{Swatch::filled, solid(used_colour), "used"},
       {Swatch::hatched, solid(p.text), "wasted: given to a block, of no use to it"},
       {Swatch::hatched, solid(p.quiet, 0.5f), "blocked: free, but too little for one more block"}}};
  Point at{beside ? box.x + name : box.x, y};
  for (const Key& key : keys) {
    const float width = style.width(key.words, Font::words, style.small()) + style.px(34);
    if (at.x > box.x + name && at.x + width > box.right())
      at = {beside ? box.x + name : box.x, at.y + style.px(20)};
    at.x = draw_key(picture, style, at, key.swatch, key.colour, key.words);
  }
  return at.y + style.px(30);
}

// The words stay above `lowest`.
void draw_today(Picture& picture, const Style& style, Box plot, Point at, float lowest,
                const std::string& words) {
  const Palette& p = style.palette;
  const uint32_t colour = p.text;
  picture.line({at.x, at.y}, {at.x, plot.bottom()}, solid(colour, 0.7f), style.px(1.5f));
  Path dot;
  constexpr int corners = 20;
  for (int i = 0; i < corners; ++i) {
    const auto angle = static_cast<float>(2 * std::numbers::pi * i / corners);
    dot.points.push_back({at.x + style.px(6) * std::cos(angle), at.y + style.px(6) * std::sin(angle)});
  }
  dot.closed = true;
  dot.fill = solid(colour);
  dot.line = solid(p.panel);
  dot.line_width = style.px(1.5f);
  picture.shapes.emplace_back(std::move(dot));
  const float width = style.width(words, Font::strong, style.small());
  const bool right = at.x + style.px(10) + width <= plot.right();
  const float y = std::max(plot.y, std::min(at.y + style.px(10), lowest - style.px(20)));
  const float x = right ? at.x + style.px(10) : std::max(plot.x, at.x - style.px(10) - width);
  picture.rectangle({x - style.px(3), y - style.px(1), width + style.px(6), style.px(18)},
                    solid(p.panel, 0.85f), style.px(3));
  picture.text({x, y}, words, Font::strong, style.small(), solid(p.text));
}

std::string tick_words(uint32_t value, bool bytes) {
  return bytes ? bytes_text(value) : with_separators(value);
}

void draw_axes(Picture& picture, const Style& style, Box plot, const OccupancyCurve& curve, bool bytes) {
  const Palette& p = style.palette;
  for (const int percent : {0, 50, 100}) {
    const float y = plot.bottom() - plot.height * static_cast<float>(percent) / 100;
    picture.line({plot.x, y}, {plot.right(), y}, solid(p.line), 1);
    picture.text({plot.x - style.px(6), y}, fmt::format("{} %", percent), Font::mono, style.small(),
                 solid(p.quiet), AlignX::right, AlignY::middle);
  }
  const int ticks = plot.width > style.px(bytes ? 400 : 240) ? 4 : 2;
  for (int i = 0; i <= ticks; ++i) {
    const auto value = static_cast<uint32_t>(uint64_t{curve.largest} * static_cast<uint64_t>(i) /
                                             static_cast<uint64_t>(ticks));
    const float x = plot.x + plot.width * static_cast<float>(i) / static_cast<float>(ticks);
    picture.text({x, plot.bottom() + style.px(5)}, tick_words(value, bytes), Font::mono, style.small(),
                 solid(p.quiet),
                 i == 0       ? AlignX::left
                 : i == ticks ? AlignX::right
                              : AlignX::centre);
  }
}

void draw_curve(Picture& picture, const Style& style, Box box, const OccupancyCurve& curve, bool bytes,
                const std::vector<PlotMark>& marks, OccupancyLayout& layout) {
  const Palette& p = style.palette;
  const float top = draw_heading(picture, style, {box.x, box.y},
                                 bytes                             ? "OVER SHARED MEMORY A BLOCK"
                                 : curve.unit == "threads a block" ? "OVER THREADS A BLOCK"
                                                                   : "OVER REGISTERS A THREAD");
  const float left = style.width("100 %", Font::mono, style.small()) + style.px(10);
  OccupancyLayout::Curve drawn;
  drawn.plot = {box.x + left, top + style.px(6), box.width - left - style.px(8),
                box.bottom() - top - style.px(6) - style.px(24)};
  const Box plot = drawn.plot;
  draw_axes(picture, style, plot, curve, bytes);
  const auto at = [&](const CurvePoint& point) {
    return Point{
        plot.x + plot.width * static_cast<float>(point.x) / static_cast<float>(std::max(1u, curve.largest)),
        plot.bottom() - plot.height * static_cast<float>(point.percent) / 100};
  };
  Path line;
  for (const CurvePoint& point : curve.points) drawn.points.push_back(at(point));
  line.points = drawn.points;
  line.line = solid(p.accent);
  line.line_width = style.px(2.2f);
  for (size_t i = 0; i + 1 < drawn.points.size(); ++i) {
    const float x = drawn.points[i].x;
    picture.area({x, plot.y, drawn.points[i + 1].x - x, plot.height}, {}, curve.points[i].words);
  }
  // A level part of the curve is one piece. Many thin pieces would show gaps.
  for (size_t first = 0, last = 1; last < drawn.points.size(); first = last++) {
    const auto level = [&](size_t i) { return drawn.points[i].y == drawn.points[first].y; };
    while (level(last) && last + 1 < drawn.points.size() && level(last + 1)) ++last;
    const Point from = drawn.points[first], to = drawn.points[last];
    Path ground;
    ground.points = {from, to, {to.x, plot.bottom()}, {from.x, plot.bottom()}};
    ground.closed = true;
    ground.fill = solid(p.accent, 0.10f);
    picture.shapes.emplace_back(std::move(ground));
  }
  picture.shapes.emplace_back(std::move(line));
  if (curve.today) {
    drawn.today = at(*curve.today);
    draw_today(picture, style, plot, *drawn.today, top_of_marks(style, plot, marks.size()),
               fmt::format("now {}", tick_words(curve.today->x, bytes)));
  }
  const auto x_of = [&](double value) {
    return plot.x +
           plot.width * static_cast<float>(std::clamp(value / std::max(1u, curve.largest), 0.0, 1.0));
  };
  for (const PlotMark& mark : marks) drawn.marks.push_back(x_of(mark.at));
  draw_marks(picture, style, plot, x_of, marks);
  layout.curves.push_back(std::move(drawn));
}

// Boxes for `count` parts side by side, as many in a row as have room.
std::vector<Box> share_row(const Style& style, Box box, size_t count, float least, float height) {
  const float gap = style.px(24);
  const auto fit =
      static_cast<size_t>(std::max(1.0f, std::floor((box.width + gap) / (style.px(least) + gap))));
  const size_t columns = std::min(count, fit);
  const float width = (box.width - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
  std::vector<Box> boxes;
  for (size_t i = 0; i < count; ++i) {
    const size_t row = i / columns;
    boxes.push_back({box.x + (width + gap) * static_cast<float>(i % columns),
                     box.y + (height + style.px(14)) * static_cast<float>(row), width, height});
  }
  if (columns > 1 && count % columns == 1) boxes.back().width = box.width;
  return boxes;
}

}  // namespace

OccupancyLayout draw_occupancy_view(Picture& picture, const Style& style, Box box, const OccupancyView& view,
                                    bool interactive, std::string_view ratio,
                                    const std::vector<std::vector<PlotMark>>& marks) {
  OccupancyLayout layout;
  float y = draw_answer(picture, style, box, view, interactive, ratio);
  const auto below = [&](float from) {
    return Box{box.x, from, box.width, std::max(0.0f, box.bottom() - from)};
  };
  if (!view.bars.empty()) y = draw_bars(picture, style, below(y), view, layout);
  const float rest = box.bottom() - y;
  if (!view.curves.empty()) {
    const float height = std::clamp(rest * 0.38f, style.px(128), style.px(240));
    const std::vector<Box> boxes = share_row(style, below(y), view.curves.size(), 180, height);
    for (size_t i = 0; i < boxes.size(); ++i)
      draw_curve(picture, style, boxes[i], view.curves[i], i == 2,
                 i < marks.size() ? marks[i] : std::vector<PlotMark>{}, layout);
    y = boxes.back().bottom() + style.px(12);
  }
  const bool parts = !view.bars.empty();
  const float height = std::max(box.bottom() - y, style.px(200));
  const std::vector<Box> boxes = share_row(style, below(y), parts ? 3 : 1, 300, height);
  float bottom = y;
  if (parts) {
    bottom = std::max(bottom, draw_sm(picture, style, boxes[0], view, layout));
    bottom = std::max(bottom, draw_waves(picture, style, boxes[1], view, layout));
  }
  bottom = std::max(bottom, draw_devices(picture, style, boxes.back(), view, interactive, layout));
  layout.bottom = bottom;
  return layout;
}

}  // namespace warplens
