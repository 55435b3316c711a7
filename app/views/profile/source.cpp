// The kernel's lines with what they cost, next to the metrics.
#include <fmt/format.h>

#include <algorithm>

#include "app/base/draw/parts.h"
#include "app/base/format.h"
#include "app/views/profile/picture_sections.h"

namespace warplens {

namespace {

struct LineColumn {
  const ProfileLineCount* count = nullptr;
  float right = 0;
  uint64_t most = 0;
};

std::vector<LineColumn> line_columns_of(const Style& style, Box box, const ProfilePictureInput& input) {
  std::vector<LineColumn> columns;
  std::vector<const ProfileLineCount*> counts = counts_beside(input.chosen);
  // What the metric is made of is at the right edge; with little room, the others go.
  const auto width_of = [&](LineColumn& column) {
    float width = style.width(column.count->name, Font::words, style.small());
    for (const ProfileLine& line : input.view->lines)
      if (line.counters) column.most = std::max(column.most, (*line.counters).*(column.count->count));
    return std::max(width, style.width(with_separators(column.most), Font::mono, style.small()));
  };
  float right = box.width - style.px(6);
  for (auto count = counts.rbegin(); count != counts.rend(); ++count) {
    LineColumn column{*count, right, 0};
    const float width = width_of(column);
    if (!columns.empty() && right - width < box.width * 0.45f) break;
    columns.insert(columns.begin(), column);
    right -= width + style.px(14);
  }
  return columns;
}

float left_of(const Style& style, const std::vector<LineColumn>& columns) {
  const LineColumn& first = columns.front();
  return first.right - std::max(style.width(with_separators(first.most), Font::mono, style.small()),
                                style.width(first.count->name, Font::words, style.small()));
}

void draw_source_line(Picture& picture, const Style& style, Box row, const ProfileLine& line,
                      const std::vector<LineColumn>& columns, float number, float text_right,
                      const ProfilePictureInput& input) {
  const Palette& p = style.palette;
  if (input.line == line.line)
    picture.rectangle(row, solid(mix(p.panel, p.accent, 0.14)), style.px(3), solid(p.accent));
  const float middle = row.centre().y;
  picture.text({row.x + number, middle}, std::to_string(line.line), Font::mono, style.small(), solid(p.quiet),
               AlignX::right, AlignY::middle);
  const float left = row.x + number + style.px(10);
  picture.text({left, middle},
               shortened(style, line.text, Font::mono, style.small(), row.x + text_right - left), Font::mono,
               style.small(), solid(line.counters ? p.text : p.quiet), AlignX::left, AlignY::middle);
  std::string hint;
  for (const LineColumn& column : columns) {
    const uint64_t value = line.counters ? (*line.counters).*(column.count->count) : 0;
    if (!hint.empty()) hint += "\n";
    hint += with_separators(value) + " " + column.count->words;
    if (value == 0) continue;
    const float share = static_cast<float>(double(value) / double(column.most));
    const float width = style.width(with_separators(column.most), Font::mono, style.small());
    picture.rectangle(
        {row.x + column.right - width * share, row.y + style.px(2), width * share, row.height - style.px(4)},
        solid(mix(p.panel, p.counted, 0.22)), 2);
    picture.text({row.x + column.right, middle}, with_separators(value), Font::mono, style.small(),
                 solid(p.text), AlignX::right, AlignY::middle);
  }
  if (line.states)
    hint += fmt::format("\n{} % of all cycles of warps (≈ modelled); most of them, a warp {}",
                        three_digits(100 * line.states->share), text_of(line.states->longest).meaning);
  if (line.counters)
    picture.area(row, input.interactive ? Click(ProfileVerb::line, line.line) : Click(), hint);
}

}  // namespace

float draw_profile_source(Picture& picture, const Style& style, Box box, const ProfilePictureInput& input) {
  const ProfileView& view = *input.view;
  const float width = style.width("LINES OF THE KERNEL", Font::strong, style.small());
  draw_source_tag(picture, style, {box.x + width + style.px(10), box.y - style.px(2)}, Provenance::counted,
                  "Counted by the virtual GPU for each line: exact.");
  float y = draw_heading(picture, style, {box.x, box.y}, "LINES OF THE KERNEL");
  const auto quiet = [&](const std::string& words) {
    return draw_paragraph(picture, style, {box.x, y}, words, Font::words, style.small(),
                          solid(style.palette.quiet), box.width) +
           style.px(8);
  };
  if (!view.lines_message.empty()) return quiet(view.lines_message);
  const std::vector<LineColumn> columns = line_columns_of(style, box, input);
  const bool of_metric = input.chosen != nullptr && counts_beside(input.chosen) != counts_beside(nullptr);
  if (of_metric)
    y = quiet("What " + input.chosen->label +
              " is made of, line by line. Loads and stores are counted together.");
  const float number = style.width("0000", Font::mono, style.small()), line = style.px(21);
  for (const LineColumn& column : columns)
    picture.text({box.x + column.right, y}, column.count->name, Font::words, style.small(),
                 solid(style.palette.quiet), AlignX::right);
  y += style.px(22);
  const float text_right = left_of(style, columns) - style.px(12);
  for (const ProfileLine& each : view.lines) {
    if (is_seen(input, y, y + line))
      draw_source_line(picture, style, {box.x, y, box.width, line}, each, columns, number, text_right, input);
    y += line;
  }
  return y + style.px(8);
}

}  // namespace warplens
