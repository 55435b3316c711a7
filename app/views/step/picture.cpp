#include "app/views/step/picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/base/format.h"
#include "app/draw/parts.h"
#include "app/model/code_lines.h"
#include "app/views/step/picture_parts.h"

namespace warplens {
namespace {

// Whose paths stand at each line: of the shown warp those that are not next, and other warps.
struct LineMark {
  uint32_t line = 0;
  std::string words;
};

uint32_t line_in(const StepViewInput& input, const stepping::CodePlace& place) {
  return input.show_ptx || input.source.empty() ? place.ptx_line : place.line;
}

std::vector<LineMark> marks_of(const StepViewInput& input) {
  std::vector<LineMark> marks;
  const StepSnapshot& shown = *input.shown;
  const auto add = [&](uint32_t line, const std::string& words) {
    if (line == 0) return;
    const auto same = std::ranges::find(marks, line, &LineMark::line);
    if (same == marks.end())
      marks.push_back({line, words});
    else
      same->words += ", " + words;
  };
  for (const stepping::PathView& path : shown.warps[shown.warp].paths)
    if (!path.runs_next) add(line_in(input, path.at), lanes_words(path.lanes) + " wait here");
  std::vector<std::pair<uint32_t, std::vector<uint32_t>>> others;
  for (const stepping::WarpView& warp : shown.warps) {
    if (warp.warp == shown.warp || warp.paths.empty()) continue;
    const uint32_t line = line_in(input, warp.paths.back().at);
    auto at = std::ranges::find(others, line, &std::pair<uint32_t, std::vector<uint32_t>>::first);
    if (at == others.end()) at = others.insert(others.end(), {line, {}});
    at->second.push_back(warp.warp);
  }
  for (const auto& [line, warps] : others)
    add(line, fmt::format("{} {}", warps.size() == 1 ? "warp" : "warps", ranges_text(warps)));
  return marks;
}

}  // namespace

float draw_step_source(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                       StepLayout& layout) {
  const Palette& p = style.palette;
  const bool ptx = input.show_ptx || input.source.empty();
  const float row = style.px(21), gutter = style.px(46);
  float y = draw_heading(picture, style, {box.x, box.y + style.px(3)},
                         ptx ? std::string("PTX") : std::string(input.source_name));
  if (input.interactive && !input.source.empty())
    draw_chip(picture, style, {box.right() - chip_width(style, "PTX"), box.y - style.px(3)}, "PTX", ptx,
              std::string(step_ptx_id), "The instructions as the virtual GPU runs them");
  y += style.px(6);
  const auto lines = lines_of(ptx ? input.ptx : input.source);
  const std::vector<std::string> paths = words_of_paths(*input.shown);
  const float below = style.px(34) + style.px(20) * static_cast<float>(std::min<size_t>(paths.size(), 4));
  const auto rows = static_cast<uint32_t>(std::max(3.0f, (box.bottom() - y - below) / row));
  const uint32_t current = ptx ? input.shown->ptx_line : input.shown->line;
  const auto count = static_cast<uint32_t>(lines.size());
  const uint32_t wanted = current > rows / 2 ? current - rows / 2 : 1;
  const uint32_t first = count <= rows ? 1 : std::min(wanted, count - rows + 1);
  layout.first_line = first;
  const std::vector<LineMark> marks = marks_of(input);
  for (uint32_t number = first; number <= count && number < first + rows; ++number, y += row) {
    const Box line{box.x, y, box.width, row};
    layout.lines.push_back(line);
    const auto mark = std::ranges::find(marks, number, &LineMark::line);
    if (number == current) {
      layout.current = layout.lines.size() - 1;
      picture.rectangle(line, solid(mix(p.panel, p.accent, 0.22)), style.px(3));
      picture.rectangle({line.x, line.y, style.px(3), line.height}, solid(p.accent));
      Path arrow;
      const float middle = line.centre().y, x = line.x + style.px(8);
      arrow.points = {{x, middle - style.px(5)}, {x + style.px(8), middle}, {x, middle + style.px(5)}};
      arrow.closed = true;
      arrow.fill = solid(p.accent);
      picture.shapes.emplace_back(std::move(arrow));
    } else if (mark != marks.end()) {
      picture.rectangle(line, solid(p.raised), style.px(3));
    }
    picture.text({line.x + gutter - style.px(12), line.centre().y}, std::to_string(number), Font::mono,
                 style.small(), solid(p.quiet), AlignX::right, AlignY::middle);
    const std::string plain = without_tabs(lines[number - 1]);
    const Box code{line.x + gutter, line.y, line.width - gutter - style.px(4), line.height};
    picture.begin_clip(code);
    picture.text({code.x, line.centre().y}, plain, Font::mono, style.small(), solid(p.text), AlignX::left,
                 AlignY::middle);
    picture.end_clip();
    std::string hint = "Click: run until the shown warp comes here";
    if (mark != marks.end()) {
      const float text = style.width(plain, Font::mono, style.small()) + style.px(14);
      const std::string words =
          shortened(style, mark->words, Font::words, style.small(), code.width - text - style.px(4));
      picture.text({code.right(), line.centre().y}, words, Font::words, style.small(), solid(p.quiet),
                   AlignX::right, AlignY::middle);
      hint = mark->words + "\n" + hint;
    }
    if (input.interactive && !ptx)
      picture.area(line, fmt::format("{}{}", step_line_id, number), hint);
    else
      picture.area(line, "", mark != marks.end() ? mark->words : "");
  }
  y += style.px(10);
  y = draw_heading(picture, style, {box.x, y}, "WHERE ITS LANES ARE") + style.px(2);
  for (size_t i = 0; i < std::min<size_t>(paths.size(), 4); ++i)
    y = draw_paragraph(picture, style, {box.x, y}, paths[i], Font::words, style.small(), solid(p.text),
                       box.width);
  return y + style.px(6);
}

StepLayout draw_step_view(Picture& picture, const Style& style, Box box, const StepViewInput& input) {
  StepLayout layout;
  if (input.shown == nullptr) {
    layout.bottom = draw_paragraph(picture, style, {box.x, box.y}, input.message, Font::words, style.body(),
                                   solid(style.palette.quiet), box.width);
    return layout;
  }
  const float gap = style.px(20);
  const float controls = step_controls_height(style, box.width, input);
  const bool beside = box.width >= style.px(760);
  const float least = style.px(beside ? 380 : 300);
  const float height = std::max(least, box.height - controls);
  const float source = beside ? std::min(box.width * 0.42f, style.px(620)) : box.width;
  const Box left{box.x, box.y, source, beside ? height : std::min(height, style.px(300))};
  const float left_end = draw_step_source(picture, style, left, input, layout);
  const float x = beside ? box.x + source + gap : box.x, width = beside ? box.right() - x : box.width;
  float y = beside ? box.y : left_end;
  const auto rest = [&](float from) { return Box{x, from, width, std::max(0.0f, box.y + height - from)}; };
  y = draw_step_warps(picture, style, rest(y), input, layout);
  y = draw_step_values(picture, style, rest(y), input, layout);
  y = draw_step_memory(picture, style, rest(y), input, layout);
  y = std::max({y, left_end, box.y + height});
  layout.bottom = draw_step_controls(picture, style, {box.x, y, box.width, controls}, input, layout);
  return layout;
}

}  // namespace warplens
