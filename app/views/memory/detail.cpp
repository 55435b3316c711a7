// One access lane by lane, and the heat map of a buffer, in the Memory view's picture.
#include <fmt/format.h>

#include <algorithm>

#include "app/base/draw/parts.h"
#include "app/base/format.h"
#include "app/views/memory/picture_sections.h"
#include "app/views/model/grid_map_picture.h"
#include "app/views/model/step_chip.h"

namespace warplens {

namespace {

std::vector<Chip> instruction_chips(const MemoryAccesses& accesses, size_t most) {
  std::vector<Chip> chips;
  for (const AccessGroup& group : accesses.groups) {
    if (chips.size() == most) break;
    const auto shows = [&](const std::optional<AccessView>& view) {
      return view && std::ranges::count(group.indices, view->index) > 0;
    };
    chips.push_back({group.label,
                     Click(MemoryVerb::access, group.indices.front()),
                     "",
                     shows(accesses.global) || shows(accesses.shared),
                     {},
                     ChipKind::mode});
  }
  return chips;
}

std::vector<Chip> warp_chips(const MemoryAccesses& accesses) {
  std::vector<Chip> chips;
  constexpr uint32_t most = 8;
  for (uint32_t warp = 0; warp < std::min(accesses.warps, most); ++warp)
    chips.push_back({fmt::format("warp {}", warp), Click(MemoryVerb::warp, warp), "", warp == accesses.warp,
                     solid(warp_colour(warp))});
  return chips;
}

float draw_one(Picture& picture, const Style& style, Box box, const AccessView& view, AccessLayout& layout) {
  float y = draw_paragraph(picture, style, {box.x, box.y}, view.title, Font::mono, style.small(),
                           solid(style.palette.text), box.width);
  y = draw_paragraph(picture, style, {box.x, y}, view.sentence, Font::strong, style.body(),
                     solid(style.palette.text), box.width);
  layout = draw_access(picture, style, {box.x, y + style.px(4), box.width, style.px(112)}, view,
                       warp_colour(view.warp), {});
  return layout.bottom + style.px(6);
}

}  // namespace

float draw_memory_access(Picture& picture, const Style& style, Box box, const MemoryPictureInput& input,
                         MemoryLayout& layout) {
  const Palette& p = style.palette;
  if (input.accesses == nullptr) {
    const float y = draw_heading(picture, style, {box.x, box.y}, "ONE ACCESS, LANE BY LANE");
    const std::string words = !input.footprint_message.empty()
                                  ? input.footprint_message
                                  : "Pin a block (Grid view) to see the accesses of its warps.";
    return draw_paragraph(picture, style, {box.x, y}, words, Font::words, style.body(), solid(p.quiet),
                          box.width) +
           style.px(10);
  }
  const MemoryAccesses& accesses = *input.accesses;
  const std::string heading = fmt::format("ONE ACCESS, LANE BY LANE · BLOCK {}, WARP {}",
                                          position_text(accesses.block, input.grid), accesses.warp);
  float y = draw_tagged_heading(
      picture, style, {box.x, box.y}, heading, Provenance::counted,
      "Every arrow is an access that the virtual GPU recorded while it replayed the block.");
  if (input.interactive) {
    std::vector<Chip> warps = warp_chips(accesses);
    if (input.can_step) warps.push_back(step_thread_chip());
    y = draw_chips(picture, style, {box.x, y, box.width, 0}, warps) + style.px(8);
    y = draw_chips(picture, style, {box.x, y, box.width, 0}, instruction_chips(accesses, 8)) + style.px(10);
  }
  bool refused = false;
  for (const IncidentMark& mark : input.incidents) {
    if (!mark.fault || !mark.is_of(accesses.block) || mark.place.empty()) continue;
    refused = true;
    y = draw_paragraph(picture, style, {box.x, y},
                       fmt::format("refused {} · line {}: {}", mark.place, mark.line, mark.message),
                       Font::strong, style.body(), solid(p.fault), box.width);
  }
  if (accesses.line_is_silent && !refused)
    y = draw_paragraph(picture, style, {box.x, y},
                       fmt::format("This warp accesses nothing at line {}.", input.line.value_or(0)),
                       Font::words, style.body(), solid(p.quiet), box.width);
  if (accesses.global)
    y = draw_one(picture, style, {box.x, y, box.width, 0}, *accesses.global, layout.global);
  if (accesses.shared)
    y = draw_one(picture, style, {box.x, y, box.width, 0}, *accesses.shared, layout.shared);
  return y + style.px(8);
}

namespace {

// At the cell of their bytes, or after the last cell if they lie past the end.
void draw_incidents_in(Picture& picture, const Style& style, const MemoryPictureInput& input, Box map) {
  const HeatPicture& heat = *input.heat;
  const float cell = map.width / static_cast<float>(std::max(1u, heat.columns));
  for (const IncidentMark& mark : input.incidents) {
    if (mark.buffer != heat.buffer || !mark.offset || heat.bytes_per_bin == 0) continue;
    const uint64_t bin = std::min(*mark.offset / heat.bytes_per_bin, heat.bins);
    const uint64_t row = bin / heat.columns, column = bin % heat.columns;
    const Box at{map.x + cell * static_cast<float>(column), map.y + cell * static_cast<float>(row), cell,
                 cell};
    draw_incident_mark(picture, style, at, mark);
  }
}

}  // namespace

float draw_memory_heat(Picture& picture, const Style& style, Box box, const MemoryPictureInput& input,
                       MemoryLayout& layout) {
  const Palette& p = style.palette;
  float y =
      draw_tagged_heading(picture, style, {box.x, box.y}, "WHERE IN THE BUFFER", Provenance::counted,
                          "Sectors of 32 bytes that requests touched, recorded by running the launch again.");
  if (input.heat == nullptr || input.heat->raster == nullptr) {
    const std::string words =
        input.heat != nullptr && !input.heat->message.empty() ? input.heat->message : input.heat_message;
    return draw_paragraph(picture, style, {box.x, y}, words, Font::words, style.body(), solid(p.quiet),
                          box.width);
  }
  const HeatPicture& heat = *input.heat;
  std::vector<Chip> chips;
  for (size_t i = 0; i < std::min<size_t>(heat.names.size(), 12); ++i)
    if (input.interactive || i == heat.chosen)
      chips.push_back(
          {heat.names[i], Click(MemoryVerb::buffer, i), "", i == heat.chosen, {}, ChipKind::mode});
  y = draw_chips(picture, style, {box.x, y, box.width, 0}, chips) + style.px(8);
  y = draw_paragraph(picture, style, {box.x, y}, heat.sentence, Font::words, style.small(), solid(p.text),
                     box.width);
  if (!heat.message.empty())
    y = draw_paragraph(picture, style, {box.x, y}, heat.message, Font::words, style.small(), solid(p.quiet),
                       box.width);
  const float width = box.width, columns = static_cast<float>(heat.columns),
              rows = static_cast<float>(heat.rows);
  const float room = std::max(style.px(90), box.bottom() - y - style.px(64));
  const float cell = std::min({width / columns, room / rows, style.px(16)});
  layout.heat = {box.x, y + style.px(6), cell * columns, cell * rows};
  picture.rectangle(layout.heat, solid(p.raised), 0);
  picture.shapes.emplace_back(Bitmap{layout.heat, heat.raster, {0, 0, 1, 1}, Sampling::nearest, 1});
  picture.rectangle(layout.heat, {}, 0, solid(p.line));
  draw_incidents_in(picture, style, input, layout.heat);
  y = layout.heat.bottom() + style.px(6);
  const std::string ends = fmt::format("byte 0 at the upper left, {} at the lower right; a cell is {}",
                                       bytes_text(heat.bytes), bytes_text(heat.bytes_per_bin));
  y = draw_paragraph(picture, style, {box.x, y}, ends, Font::words, style.small(), solid(p.quiet), box.width);
  return draw_amount_legend(picture, style, {box.x, y + style.px(2)}, std::min(width, style.px(320)), "never",
                            significant(heat.top) + " times");
}

}  // namespace warplens
