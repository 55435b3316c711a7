#include <fmt/format.h>

#include <algorithm>

#include "app/base/draw/parts.h"
#include "app/base/format.h"
#include "app/views/grid/captions.h"
#include "app/views/model/index_formula.h"

namespace warplens {

namespace {

std::string no_footprint_words(const GridViewInput& input) {
  if (!input.footprint_message.empty()) return input.footprint_message;
  return "Replaying the block to see what it reads and writes…";
}

// The group that holds the shown access, and the access itself.
struct ShownAccess {
  size_t group = 0, turn = 0, access = 0;
};
std::optional<ShownAccess> shown_of(const std::vector<AccessGroup>& groups, const BlockFootprint& footprint,
                                    std::optional<size_t> wanted) {
  std::optional<ShownAccess> first;
  for (size_t g = 0; g < groups.size(); ++g) {
    for (size_t i = 0; i < groups[g].indices.size(); ++i) {
      const size_t access = groups[g].indices[i];
      if (wanted == access) return ShownAccess{g, i, access};
      if (!first && footprint.accesses[access].space == Space::global) first = ShownAccess{g, i, access};
    }
  }
  if (!first && !groups.empty()) first = ShownAccess{0, 0, groups[0].indices[0]};
  return first;
}

std::vector<Chip> access_chips(const std::vector<AccessGroup>& groups, const ShownAccess& shown) {
  std::vector<Chip> chips;
  constexpr size_t most = 12;
  for (size_t g = 0; g < groups.size() && g < most; ++g)
    chips.push_back({groups[g].label,
                     Click(GridVerb::access, groups[g].indices[0]),
                     "",
                     g == shown.group,
                     {},
                     ChipKind::mode});
  const std::vector<size_t>& turns = groups[shown.group].indices;
  if (turns.size() > 1) {
    const size_t before = turns[(shown.turn + turns.size() - 1) % turns.size()];
    const size_t after = turns[(shown.turn + 1) % turns.size()];
    chips.push_back({"‹", Click(GridVerb::access, before), "the time before", false, {}});
    chips.push_back({"›", Click(GridVerb::access, after), "the next time", false, {}});
  }
  return chips;
}

}  // namespace

std::optional<size_t> draw_warp_part(Picture& picture, const Style& style, const GridViewInput& input,
                                     Box box, AccessLayout& layout) {
  const Dim3 block = input.result->shape.block;
  const uint32_t warp = input.chosen.thread ? warp_of(*input.chosen.thread, block) : 0;
  float y = draw_paragraph(picture, style, {box.x, box.y},
                           fmt::format("What warp {} reads and writes, as recorded", warp), Font::words,
                           style.small(), solid(style.palette.quiet), box.width);
  y += style.px(6);
  if (input.footprint == nullptr || input.digest == nullptr) {
    draw_paragraph(picture, style, {box.x, y}, no_footprint_words(input), Font::words, style.body(),
                   solid(style.palette.text), box.width);
    return std::nullopt;
  }
  const std::vector<AccessGroup>& groups = input.digest->groups;
  const std::optional<ShownAccess> shown = shown_of(groups, *input.footprint, input.access);
  if (!shown) {
    draw_paragraph(picture, style, {box.x, y}, "This warp read and wrote no memory.", Font::words,
                   style.body(), solid(style.palette.text), box.width);
    return std::nullopt;
  }
  if (input.interactive)
    y = draw_chips(picture, style, {box.x, y, box.width, 0}, access_chips(groups, *shown)) + style.px(10);
  const AccessView view = view_access(*input.result->request, *input.footprint, shown->access);
  std::string words = view.title + ": " + view.sentence;
  if (groups[shown->group].indices.size() > 1)
    words += fmt::format(" (time {} of {})", shown->turn + 1, groups[shown->group].indices.size());
  y = draw_paragraph(picture, style, {box.x, y}, words, Font::words, style.body(), solid(style.palette.text),
                     box.width);
  y += style.px(6);
  AccessMarks marks;
  if (input.hovered.thread && input.hovered.block == input.chosen.block &&
      warp_of(*input.hovered.thread, block) == warp)
    marks.lane = lane_of(*input.hovered.thread, block);
  layout = draw_access(picture, style, {box.x, y, box.width, std::max(style.px(90), box.bottom() - y)}, view,
                       warp_colour(warp), marks);
  return shown->access;
}

namespace {

float draw_formula_lines(Picture& picture, const Style& style, const GridViewInput& input, Box box) {
  const LaunchShape& shape = input.result->shape;
  const ThreadPlace place{shape.grid, shape.block, input.chosen.block.value_or(Dim3{0, 0, 0}),
                          *input.chosen.thread};
  float y = draw_heading(picture, style, {box.x, box.y}, "HOW ITS INDEX CAME ABOUT");
  if (input.kernel == nullptr || input.kernel->index_formula.empty())
    return draw_paragraph(picture, style, {box.x, y}, "This kernel's description has no index formula.",
                          Font::words, style.small(), solid(style.palette.quiet), box.width);
  for (const FormulaLine& line :
       fill_formula(input.kernel->index_formula, place, scalar_names(input.kernel, *input.result->request))) {
    y = draw_paragraph(picture, style, {box.x, y}, line.line, Font::mono, style.small(),
                       solid(style.palette.text), box.width);
    if (line.value)
      y = draw_paragraph(picture, style, {box.x + style.px(14), y},
                         fmt::format("= {} = {}", line.with_numbers, *line.value), Font::mono, style.small(),
                         solid(style.palette.accent), box.width - style.px(14));
    y += style.px(4);
  }
  return y;
}

// What was refused, or found in this thread, comes before what it did.
float draw_incident_rows(Picture& picture, const Style& style, const GridViewInput& input, Box box) {
  float y = box.y;
  for (const IncidentMark& mark : input.incidents) {
    if (!input.chosen.block || !mark.is_of(*input.chosen.block, *input.chosen.thread)) continue;
    const Colour colour = colour_of_mark(style, mark);
    const std::string words = mark.verb + " ";
    picture.text({box.x, y}, words, Font::strong, style.small(), colour);
    picture.text({box.x + style.width(words, Font::strong, style.small()) + style.px(6), y}, mark.place,
                 Font::mono, style.small(), colour);
    if (mark.line != 0)
      picture.text({box.right(), y}, fmt::format("line {}", mark.line), Font::words, style.small(),
                   solid(style.palette.quiet), AlignX::right);
    y += style.px(20);
  }
  return y;
}

void draw_access_rows(Picture& picture, const Style& style, const GridViewInput& input, Box box) {
  float y = draw_heading(picture, style, {box.x, box.y}, "WHAT IT READS AND WRITES");
  const float incidents = draw_incident_rows(picture, style, input, {box.x, y, box.width, 0});
  const bool any = incidents > y;
  y = incidents;
  if (input.footprint == nullptr || input.digest == nullptr) {
    draw_paragraph(picture, style, {box.x, y}, no_footprint_words(input), Font::words, style.small(),
                   solid(style.palette.quiet), box.width);
    return;
  }
  const std::vector<ThreadAccess>& rows = input.digest->thread;
  if (rows.empty() && !any)
    draw_paragraph(picture, style, {box.x, y}, "This thread read and wrote nothing.", Font::words,
                   style.small(), solid(style.palette.quiet), box.width);
  const float step = style.px(20);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (y + 2 * step > box.bottom() && i + 1 < rows.size()) {
      picture.text({box.x, y}, fmt::format("… and {} more", with_separators(rows.size() - i)), Font::words,
                   style.small(), solid(style.palette.quiet));
      return;
    }
    const ThreadAccess& row = rows[i];
    const char* verb = row.kind == AccessKind::load    ? "reads"
                       : row.kind == AccessKind::store ? "writes"
                                                       : "atomic";
    picture.text({box.x, y}, verb, Font::words, style.small(), solid(style.palette.quiet));
    picture.text({box.x + style.px(56), y}, row.place + (row.value ? " = " + *row.value : ""), Font::mono,
                 style.small(), solid(style.palette.text));
    if (row.line != 0)
      picture.text({box.right(), y}, fmt::format("line {}", row.line), Font::words, style.small(),
                   solid(style.palette.quiet), AlignX::right);
    y += step;
  }
}

}  // namespace

void draw_lane_part(Picture& picture, const Style& style, const GridViewInput& input, Box box) {
  if (!input.chosen.thread) return;
  const bool beside = box.width >= style.px(720);
  const float gap = style.px(28), half = beside ? (box.width - gap) / 2 : box.width;
  picture.begin_clip(box);
  const float y = draw_formula_lines(picture, style, input, {box.x, box.y, half, box.height});
  if (beside) {
    draw_access_rows(picture, style, input,
                     {box.x + half + gap, box.y, std::min(half, style.px(420)), box.height});
  } else {
    draw_access_rows(picture, style, input, {box.x, y + style.px(8), half, box.bottom() - y - style.px(8)});
  }
  picture.end_clip();
}

}  // namespace warplens
