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

float draw_array(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                 const StepArray& array, StepLayout& layout) {
  const StepSnapshot& shown = *input.shown;
  const Palette& p = style.palette;
  const uint64_t words = (array.bytes.size() + 3) / 4;
  const uint64_t each = std::max<uint64_t>(1, (words + most_cells - 1) / most_cells);  // words of a cell
  const uint64_t cells = (words + each - 1) / each;
  const float y0 = draw_heading(picture, style, {box.x, box.y},
                                fmt::format("{} · {}{}", array.name, bytes_text(array.bytes.size()),
                                            each == 1 ? ", A CELL IS 4 BYTES" : ""));
  const uint64_t columns = 32, rows = (cells + columns - 1) / columns;
  const float step =
      std::clamp(std::min(box.width / float(columns), style.px(120) / float(rows)), 2.0f, style.px(17));
  const Colour hollow = solid(p.line);
  for (uint64_t cell = 0; cell < cells; ++cell) {
    const Box square{box.x + step * float(cell % columns), y0 + step * float(cell / columns), step - 1,
                     step - 1};
    const uint64_t from = cell * each * 4, to = std::min<uint64_t>(from + each * 4, array.bytes.size());
    const bool written = touches(shown, array.offset + from, array.offset + to, true);
    const bool read = touches(shown, array.offset + from, array.offset + to, false);
    const bool zero = is_zero(array.bytes, static_cast<size_t>(from), static_cast<size_t>(to));
    const uint32_t warp = shown.last ? group_colours[shown.last->warp % group_colours.size()] : p.accent;
    picture.rectangle(square, written ? solid(warp) : solid(zero ? p.raised : mix(p.raised, p.accent, 0.35)),
                      1, read ? solid(p.text) : hollow, read ? 2.0f : 1.0f);
  }
  const float bottom = y0 + step * float(rows);
  layout.arrays.push_back({box.x, y0, step * float(columns), bottom - y0});
  picture.area(layout.arrays.back(), "",
               "32 words in a row: a column is a bank. Filled: written now. Outlined: read now. Dark: zero.");
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
  for (const StepArray& array : shown.arrays)
    y = draw_array(picture, style, {box.x, y, box.width, 0}, input, array, layout);
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
