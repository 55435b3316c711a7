#include "app/views/memory/picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/base/draw/parts.h"
#include "app/base/format.h"
#include "app/views/memory/picture_sections.h"
#include "app/views/model/baseline.h"

namespace warplens {

namespace {

constexpr std::string_view sectors_formula =
    "Sectors of 32 bytes that a warp's request touches, against the fewest that hold the bytes it asks for, "
    "as the run counted them for each line.";

float draw_answer(Picture& picture, const Style& style, Box box, const MemoryPictureInput& input) {
  const MemoryView& view = *input.view;
  float right = box.right();
  if (input.interactive) {
    right -= chip_width(style, "save…");
    draw_chip(picture, style, {right, box.y}, "save…", false, SaveVerb::save,
              "Save this picture as PNG or SVG, or its numbers as CSV");
  }
  float y = draw_heading(picture, style, {box.x, box.y + style.px(2)}, "WHERE DO THE BYTES GO?");
  y = draw_paragraph(picture, style, {box.x, y}, view.answer, Font::strong, style.px(22),
                     solid(style.palette.text), right - box.x - style.px(8));
  std::string detail = view.detail;
  if (input.baseline != nullptr && view.message.empty())
    if (const std::string ratio =
            against(double(view.sectors), double(input.baseline->sectors), input.baseline_label);
        !ratio.empty())
      detail += fmt::format("{}Sectors: {}.", detail.empty() ? "" : " ", ratio);
  const float width = style.width(detail, Font::words, style.body());
  if (!detail.empty() && width + source_tag_width(style, Provenance::counted) + style.px(10) < box.width)
    draw_source_tag(picture, style, {box.x + width + style.px(10), y}, Provenance::counted,
                    "Counted by the virtual GPU while the kernel ran: exact.");
  return draw_paragraph(picture, style, {box.x, y}, detail, Font::words, style.body(),
                        solid(style.palette.quiet), box.width) +
         style.px(12);
}

struct LineColumns {
  float number = 0, source = 0, bars = 0, also = 0;  // widths
};

// The traffic of a line besides global memory.
std::string also_words(const MemoryLine& line) {
  std::string words;
  const auto add = [&](uint64_t amount, const char* one, const char* many) {
    if (amount > 0) words += (words.empty() ? "" : ", ") + count_text(amount, one, many);
  };
  add(line.conflicts, "conflict", "conflicts");
  add(line.local_sectors, "local sector", "local sectors");
  add(line.constant_requests, "constant read", "constant reads");
  add(line.texture_requests, "texture fetch", "texture fetches");
  return words;
}

LineColumns line_columns(const Style& style, Box box, const MemoryView& view) {
  float widest = 0;
  for (const MemoryLine& line : view.lines)
    widest = std::max(widest, style.width(also_words(line), Font::mono, style.small()));
  LineColumns c;
  c.number = style.px(44);
  c.also = widest > 0 ? std::clamp(widest + style.px(18), style.px(60), box.width * 0.34f) : 0;
  const float rest = box.width - c.number - c.also;
  c.source = rest * 0.46f;
  c.bars = rest - c.source - style.px(12);
  return c;
}

constexpr float ratio_width = 84;  // of "5.9 / 1", at 100 %

float draw_column_heads(Picture& picture, const Style& style, Box box, const LineColumns& c) {
  const auto head = [&](float x, std::string_view words, AlignX align, float width) {
    picture.text({x, box.y}, shortened(style, words, Font::words, style.small(), width), Font::words,
                 style.small(), solid(style.palette.quiet), align);
  };
  const float bars = box.x + c.number + c.source + style.px(12);
  head(box.x + c.number - style.px(10), "line", AlignX::right, c.number);
  head(box.x + c.number, "source", AlignX::left, c.source);
  head(bars + c.bars, "sectors a request / ideal", AlignX::right, c.bars);
  if (c.also > 0) head(box.right() - style.px(6), "beside it", AlignX::right, c.also - style.px(10));
  return box.y + style.px(22);
}

void draw_line(Picture& picture, const Style& style, Box row, const MemoryPictureInput& input, size_t index,
               const LineColumns& c, double most, MemoryLayout& layout) {
  const MemoryLine& line = input.view->lines[index];
  const Palette& p = style.palette;
  const bool chosen = input.line == line.line;
  if (chosen) picture.rectangle(row, solid(mix(p.panel, p.accent, 0.14)), style.px(4), solid(p.accent));
  const float middle = row.centre().y;
  for (const IncidentMark& mark : input.incidents) {
    if (mark.line != line.line || mark.file != line.file) continue;
    picture.rectangle({row.x, row.y, style.px(4), row.height}, colour_of_mark(style, mark), style.px(2));
    picture.text({row.x + style.px(8), middle}, mark.fault ? "×" : "!", Font::strong, style.small(),
                 colour_of_mark(style, mark), AlignX::left, AlignY::middle);
    break;
  }
  picture.text({row.x + c.number - style.px(10), middle}, std::to_string(line.line), Font::mono,
               style.small(), solid(p.quiet), AlignX::right, AlignY::middle);
  picture.text(
      {row.x + c.number, middle},
      shortened(style, line.source.empty() ? line.file : line.source, Font::mono, style.small(), c.source),
      Font::mono, style.small(), solid(p.text), AlignX::left, AlignY::middle);
  const float x = row.x + c.number + c.source + style.px(12);
  const std::string words =
      fmt::format("{} / {}", significant(line.sectors_per_request()), significant(line.ideal_per_request()));
  const float text = style.px(ratio_width);
  const float full = std::max(1.0f, c.bars - text);
  const auto bar = [&](double amount) {
    return Box{x, middle - style.px(7), full * static_cast<float>(most <= 0 ? 0 : amount / most),
               style.px(14)};
  };
  MemoryLayout::Line drawn{index, row, bar(line.sectors_per_request()), bar(line.ideal_per_request())};
  if (line.requests > 0) {
    const bool over = line.sectors > line.sectors_ideal;
    // What is more than the ideal is hatched: it carries no byte that a lane asked for.
    if (over) {
      picture.rectangle(drawn.sectors, solid(mix(p.panel, group_colours[3], 0.45)), 2,
                        solid(group_colours[3]));
      picture.hatch(drawn.sectors, solid(p.text, 0.5f), style.px(5));
    }
    picture.rectangle(drawn.ideal, solid(group_colours[2]), 2);
    picture.text({x + full + style.px(8), middle}, words, Font::mono, style.small(), solid(p.text),
                 AlignX::left, AlignY::middle);
  }
  const std::string also = also_words(line);
  if (c.also > 0)
    picture.text(
        {row.right() - style.px(6), middle},
        also.empty() ? "–" : shortened(style, also, Font::mono, style.small(), c.also - style.px(10)),
        Font::mono, style.small(), solid(line.conflicts > 0 ? p.text : p.quiet), AlignX::right,
        AlignY::middle);
  picture.area(row, input.interactive ? Click(MemoryVerb::line, line.line) : Click(),
               fmt::format("line {}: {} touch {}; {} would do. {} sectors a request, ideal {}. {}.",
                           line.line, count_text(line.requests, "request", "requests"),
                           count_text(line.sectors, "sector", "sectors"), with_separators(line.sectors_ideal),
                           significant(line.sectors_per_request()), significant(line.ideal_per_request()),
                           also.empty() ? "No memory except global memory" : "Also: " + also));
  layout.lines.push_back(drawn);
}

}  // namespace

float draw_tagged_heading(Picture& picture, const Style& style, Point at, std::string_view words,
                          Provenance source, std::string formula) {
  const float width = style.width(words, Font::strong, style.small());
  draw_source_tag(picture, style, {at.x + width + style.px(10), at.y - style.px(2)}, source,
                  std::move(formula));
  return draw_heading(picture, style, at, words);
}

float draw_memory_lines(Picture& picture, const Style& style, Box box, const MemoryPictureInput& input,
                        MemoryLayout& layout) {
  const MemoryView& view = *input.view;
  if (view.lines.empty()) return box.y;
  float y = draw_tagged_heading(picture, style, {box.x, box.y}, "LINE BY LINE: SECTORS A REQUEST / IDEAL",
                                Provenance::counted, std::string(sectors_formula));
  double most = 0;
  for (const MemoryLine& line : view.lines) most = std::max(most, line.sectors_per_request());
  const LineColumns columns = line_columns(style, box, view);
  y = draw_column_heads(picture, style, {box.x, y, box.width, 0}, columns);
  constexpr size_t most_lines = 60;
  for (size_t i = 0; i < std::min(most_lines, view.lines.size()); ++i) {
    draw_line(picture, style, {box.x, y, box.width, style.px(25)}, input, i, columns, most, layout);
    y += style.px(26);
  }
  return y + style.px(10);
}

MemoryLayout draw_memory_view(Picture& picture, const Style& style, Box box,
                              const MemoryPictureInput& input) {
  MemoryLayout layout;
  const MemoryView& view = *input.view;
  if (!view.message.empty()) {
    layout.bottom = draw_paragraph(picture, style, {box.x, box.y}, view.message, Font::words, style.body(),
                                   solid(style.palette.quiet), box.width);
    return layout;
  }
  const auto below = [&](float y) { return Box{box.x, y, box.width, std::max(0.0f, box.bottom() - y)}; };
  float y = draw_answer(picture, style, box, input);
  y = draw_hierarchy(picture, style, below(y), input, layout);
  const float gap = style.px(32);
  const bool wide = box.width >= style.px(860);
  const float left_width = wide ? (box.width - gap) * 0.58f : box.width;
  const auto left = [&](float from) {
    return Box{box.x, from, left_width, std::max(0.0f, box.bottom() - from)};
  };
  float bottom = draw_memory_lines(picture, style, left(y), input, layout);
  bottom = draw_memory_access(picture, style, left(bottom), input, layout);
  const float top = wide ? y : bottom;
  const Box right = wide ? Box{box.x + left_width + gap, top, box.width - left_width - gap,
                               std::max(bottom, box.bottom()) - top}
                         : Box{box.x, top, box.width, style.px(300)};
  layout.bottom = std::max(bottom, draw_memory_heat(picture, style, right, input, layout));
  return layout;
}

}  // namespace warplens
