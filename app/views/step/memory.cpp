// Shared memory as grids, and the access under way.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "app/base/format.h"
#include "app/draw/parts.h"
#include "app/views/step/picture_parts.h"

namespace warplens {
namespace {

constexpr uint64_t most_cells = 4096;

// Which bytes the access under way reads or writes.
bool touches(const StepSnapshot& shown, uint64_t from, uint64_t to, bool writes) {
  for (const stepping::SteppedAccess& access : shown.accesses) {
    if (access.space != Space::shared || (access.kind == AccessKind::load) == writes) continue;
    for (uint32_t lanes = access.lanes; lanes != 0; lanes &= lanes - 1) {
      const uint64_t at = access.address[static_cast<size_t>(std::countr_zero(lanes))];
      if (at < to && from < at + access.bytes) return true;
    }
  }
  return false;
}

bool is_zero(const Bytes& bytes, size_t from, size_t to) {
  for (size_t i = from; i < to; ++i)
    if (bytes[i] != std::byte{0}) return false;
  return true;
}

std::string heading_of(const StepArray& array, uint64_t each) {
  std::string words = array.array.name;
  for (const uint64_t extent : array.array.extents) words += fmt::format("[{}]", extent);
  if (!array.array.element.empty()) words += fmt::format(" · {}", array.array.element);
  words += fmt::format(" · {}", bytes_text(array.bytes.size()));
  if (each > 1) words += fmt::format(" · a cell is {} elements", each);
  return words;
}

// Elements as cells, a row of the array a row of cells, so that a column of a tile looks like one.
float draw_array(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                 const StepArray& array, StepLayout& layout) {
  const StepSnapshot& shown = *input.shown;
  const Palette& p = style.palette;
  const uint64_t size = std::max<uint64_t>(1, array.array.element_bytes);
  const uint64_t elements = (array.bytes.size() + size - 1) / size;
  const uint64_t each = std::max<uint64_t>(1, (elements + most_cells - 1) / most_cells);
  const uint64_t cells = (elements + each - 1) / each;
  const float y0 = draw_heading(picture, style, {box.x, box.y}, heading_of(array, each));
  const uint64_t inner = array.array.extents.size() > 1 ? array.array.extents.back() : 32;
  const uint64_t columns = each == 1 && inner > 0 && inner <= 128 ? inner : 32;
  const uint64_t rows = (cells + columns - 1) / columns;
  const float step =
      std::clamp(std::min(box.width / float(columns), std::max(style.px(140), box.height) / float(rows)),
                 2.0f, style.px(17));
  const uint32_t warp = shown.last ? group_colours[shown.last->warp % group_colours.size()] : p.accent;
  for (uint64_t cell = 0; cell < cells; ++cell) {
    const Box square{box.x + step * float(cell % columns), y0 + step * float(cell / columns), step - 1,
                     step - 1};
    const uint64_t from = cell * each * size, to = std::min<uint64_t>(from + each * size, array.bytes.size());
    const uint64_t at = array.array.address;
    const bool written = touches(shown, at + from, at + to, true),
               read = touches(shown, at + from, at + to, false);
    const bool zero = is_zero(array.bytes, static_cast<size_t>(from), static_cast<size_t>(to));
    picture.rectangle(square,
                      solid(written ? warp
                            : zero  ? p.raised
                                    : mix(p.raised, p.accent, 0.35)),
                      1, read ? solid(p.text) : solid(p.line), read ? 2.0f : 1.0f);
  }
  const float bottom = y0 + step * float(rows);
  layout.arrays.push_back({box.x, y0, step * float(columns), bottom - y0});
  picture.area(layout.arrays.back(), "", "Filled: just written. Outlined: just read. Dark: zero.");
  return bottom + style.px(8);
}

std::string access_words(const AccessView& view) {
  const char* verb = view.kind == AccessKind::load    ? "reads"
                     : view.kind == AccessKind::store ? "writes"
                                                      : "updates";
  return fmt::format("warp {} {} {}: {}", view.warp, verb, view.buffer.empty() ? "memory" : view.buffer,
                     view.sentence);
}

}  // namespace

float draw_step_memory(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                       StepLayout& layout) {
  const StepSnapshot& shown = *input.shown;
  float y = box.y;
  const float room = box.height - style.px(190);  // less what the access under way takes
  for (const StepArray& array : shown.arrays)
    y = draw_array(picture, style, {box.x, y, box.width, room / float(shown.arrays.size())}, input, array,
                   layout);
  if (input.request == nullptr || shown.access.accesses.empty()) return y;
  const AccessView view = view_access(*input.request, shown.access, 0);
  if (view.lanes.empty()) return y;
  y = draw_heading(picture, style, {box.x, y}, "THE ACCESS JUST MADE");
  y = draw_paragraph(picture, style, {box.x, y}, access_words(view), Font::words, style.small(),
                     solid(style.palette.text), box.width) +
      style.px(4);
  const AccessLayout drawn =
      draw_access(picture, style, {box.x, y, box.width, style.px(120)}, view,
                  group_colours[view.warp % group_colours.size()], {.lane = input.lane});
  return drawn.bottom + style.px(8);
}

}  // namespace warplens
