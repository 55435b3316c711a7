// Where the lanes of the shown warp are: its paths as a small tree that grows together at the lines where
// they meet. And the list of breakpoints.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "app/base/draw/parts.h"
#include "app/views/step/picture_sections.h"

namespace warplens {
namespace {

// A place where paths meet: the rows that it joins, and how many meetings are before it.
struct Meeting {
  stepping::CodePlace at;
  uint32_t lanes = 0;
  size_t first = SIZE_MAX, last = 0;  // rows
  uint32_t level = 0;
};

struct PathTree {
  std::vector<const stepping::PathView*> rows;
  std::vector<Meeting> meetings;
  uint32_t levels = 0;
};

// Rows that meet stand together: they are ordered by the outermost meeting, then by the ones inside it.
std::vector<uint32_t> order_of(const stepping::PathView& path) {
  std::vector<uint32_t> key;
  for (auto meeting = path.meetings.rbegin(); meeting != path.meetings.rend(); ++meeting)
    key.push_back(static_cast<uint32_t>(std::countr_zero(meeting->lanes)));
  key.push_back(static_cast<uint32_t>(std::countr_zero(path.lanes)));
  return key;
}

PathTree tree_of(const stepping::WarpView& warp) {
  PathTree tree;
  for (const stepping::PathView& path : warp.paths) tree.rows.push_back(&path);
  std::ranges::stable_sort(tree.rows, {}, [](const auto* path) { return order_of(*path); });
  for (size_t row = 0; row < tree.rows.size(); ++row) {
    for (const stepping::MeetingView& meeting : tree.rows[row]->meetings) {
      auto at = std::ranges::find_if(tree.meetings, [&](const Meeting& m) {
        return m.at.instruction == meeting.at.instruction && (m.lanes & meeting.lanes) != 0;
      });
      if (at == tree.meetings.end()) at = tree.meetings.insert(at, Meeting{meeting.at, 0, SIZE_MAX, 0, 0});
      at->lanes |= meeting.lanes;
      at->first = std::min(at->first, row);
      at->last = std::max(at->last, row);
    }
  }
  std::ranges::stable_sort(tree.meetings, {}, [](const Meeting& m) { return std::popcount(m.lanes); });
  for (size_t i = 0; i < tree.meetings.size(); ++i) {
    for (size_t j = 0; j < i; ++j)
      if ((tree.meetings[j].lanes & tree.meetings[i].lanes) != 0)
        tree.meetings[i].level = std::max(tree.meetings[i].level, tree.meetings[j].level + 1);
    tree.levels = std::max(tree.levels, tree.meetings[i].level + 1);
  }
  return tree;
}

std::string line_words(const stepping::CodePlace& place) {
  return place.line != 0 ? fmt::format("line {}", place.line) : fmt::format("PTX {}", place.ptx_line);
}

std::string short_words(const stepping::PathView& path) {
  return line_words(path.at) + (path.wait != stepping::Wait::none ? " waits"
                                : path.runs_next                  ? " next"
                                                                  : " later");
}

void draw_strip(Picture& picture, const Style& style, Box box, const stepping::PathView& path,
                uint32_t colour) {
  const Palette& p = style.palette;
  const float cell = box.width / warp_lanes;
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
    const Box square{box.x + cell * float(lane), box.y, std::max(1.0f, cell - 1), box.height};
    const bool in = (path.lanes >> lane & 1) != 0, waits = path.wait != stepping::Wait::none;
    if (!in)
      picture.rectangle(square, solid(p.raised));
    else if (waits)
      picture.rectangle(square, {}, 0, solid(outline_of(style, colour)), std::max(1.0f, style.px(1)));
    else
      picture.rectangle(square, solid(colour, path.runs_next ? 1.0f : 0.5f));
  }
}

void draw_meetings(Picture& picture, const Style& style, const PathTree& tree, float x, float y, float row,
                   float step, StepLayout& layout) {
  const Palette& p = style.palette;
  const Colour line = solid(p.quiet);
  const auto middle = [&](size_t index) { return y + row * (float(index) + 0.5f); };
  std::vector<float> from(tree.rows.size(), x);  // where the line of each row has come to
  for (const Meeting& meeting : tree.meetings) {
    const float at = x + step * float(meeting.level) + style.px(10);
    for (size_t i = meeting.first; i <= meeting.last; ++i) {
      if ((tree.rows[i]->lanes & meeting.lanes) == 0) continue;
      picture.line({from[i], middle(i)}, {at, middle(i)}, line, style.px(1.5f));
      from[i] = at;
    }
    picture.line({at, middle(meeting.first)}, {at, middle(meeting.last)}, line, style.px(1.5f));
    const float centre = (middle(meeting.first) + middle(meeting.last)) / 2;
    picture.rectangle({at - style.px(3), centre - style.px(3), style.px(6), style.px(6)}, solid(p.accent),
                      style.px(3));
    const std::string words = line_words(meeting.at);
    picture.text({at + style.px(7), centre}, words, Font::words, style.small(), solid(p.text), AlignX::left,
                 AlignY::middle);
    layout.meetings.push_back({at, centre - row / 2, step, row});
    picture.area(layout.meetings.back(), {}, fmt::format("{} meet at {}", lanes_words(meeting.lanes), words));
  }
}

// Amber, with the glyph of a warning.
float draw_mistake(Picture& picture, const Style& style, Box box, const std::string& words) {
  Path triangle;
  const float half = style.px(5), x = box.x + half, y = box.y + style.px(4);
  triangle.points = {{x, y}, {x + half, y + 2 * half}, {x - half, y + 2 * half}};
  triangle.closed = true;
  triangle.fill = solid(style.palette.warning);
  picture.shapes.emplace_back(std::move(triangle));
  return draw_paragraph(picture, style, {box.x + style.px(16), box.y}, words, Font::words, style.small(),
                        solid(style.palette.warning), box.width - style.px(16)) +
         style.px(4);
}

}  // namespace

float draw_step_paths(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                      StepLayout& layout) {
  const StepSnapshot& shown = *input.shown;
  const Palette& p = style.palette;
  float y = draw_heading(picture, style, {box.x, box.y}, "WHERE ITS LANES ARE") + style.px(2);
  const std::vector<std::string> sentences = words_of_paths(shown);
  const stepping::WarpView& warp = shown.warps[shown.warp];
  if (warp.paths.size() < 2) {
    for (const std::string& sentence : sentences)
      y = draw_paragraph(picture, style, {box.x, y}, sentence, Font::words, style.small(), solid(p.text),
                         box.width);
    return y + style.px(8);
  }
  const PathTree tree = tree_of(warp);
  const float row = style.px(22), step = style.px(70);
  float words = 0;
  for (const auto* path : tree.rows)
    words = std::max(words, style.width(short_words(*path), Font::words, style.small()));
  const float joints = step * float(tree.levels) + style.px(10);
  const float strip = std::clamp(box.width - words - joints - style.px(20), style.px(32), style.px(160));
  const uint32_t colour = group_colours[shown.warp % group_colours.size()];
  for (size_t i = 0; i < tree.rows.size(); ++i) {
    const stepping::PathView& path = *tree.rows[i];
    const float top = y + row * float(i);
    draw_strip(picture, style, {box.x, top + style.px(5), strip, style.px(12)}, path, colour);
    picture.text({box.x + strip + style.px(8), top + row / 2}, short_words(path), Font::words, style.small(),
                 solid(path.runs_next ? p.text : p.quiet), AlignX::left, AlignY::middle);
    // The sentences have the warp's order, the last path first.
    const auto number = static_cast<size_t>(&path - warp.paths.data());
    picture.area({box.x, top, strip + words + style.px(10), row}, {},
                 sentences[sentences.size() - 1 - number]);
  }
  draw_meetings(picture, style, tree, box.x + strip + words + style.px(14), y, row, step, layout);
  return y + row * float(tree.rows.size()) + style.px(10);
}

float draw_step_breakpoints(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                            StepLayout& layout) {
  if (input.breakpoints.empty()) return box.y;
  const Palette& p = style.palette;
  float y = draw_heading(picture, style, {box.x, box.y}, "BREAKPOINTS") + style.px(2);
  for (const StepBreakpoint& breakpoint : input.breakpoints) {
    const std::string words = fmt::format("line {}  if", breakpoint.line);
    const float row = style.px(30), text = style.width("line 9999  if", Font::words, style.small());
    const float x = box.x + text + style.px(10), remove = input.interactive ? chip_width(style, "×") : 0;
    picture.text({box.x, y + row / 2}, words, Font::words, style.small(), solid(p.text), AlignX::left,
                 AlignY::middle);
    const Box field{x, y + style.px(2), std::max(style.px(60), box.right() - x - remove - style.px(8)),
                    row - style.px(6)};
    layout.conditions.push_back({field, breakpoint.line});
    if (input.interactive)
      draw_chip(picture, style, {box.right() - remove, y}, "×", false,
                Click(StepVerb::remove, breakpoint.line), "Clear this breakpoint");
    else
      picture.text({x, y + row / 2}, breakpoint.condition.empty() ? "any lane" : breakpoint.condition,
                   Font::mono, style.small(), solid(p.text), AlignX::left, AlignY::middle);
    y += row + style.px(2);
    for (const auto& [told, error] : input.shown->breakpoints)
      if (told == breakpoint && !error.empty())
        y = draw_mistake(picture, style, {box.x, y, box.width, 0}, error);
  }
  return y + style.px(8);
}

}  // namespace warplens
