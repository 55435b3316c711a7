// Shared memory as grids, and the access under way.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "app/base/draw/parts.h"
#include "app/base/format.h"
#include "app/base/number_words.h"
#include "app/views/step/picture_sections.h"

#include "core/launch/footprint.h"

namespace warplens {
namespace {

constexpr uint64_t most_cells = 4096;

// What the last move did to each byte of the array.
constexpr uint8_t was_read = 1, was_written = 2;
std::vector<uint8_t> touched(const StepSnapshot& shown, const StepArray& array) {
  std::vector<uint8_t> bytes(array.bytes.size(), 0);
  const uint64_t begin = array.array.address, end = begin + bytes.size();
  for (const stepping::LoggedAccess& access : shown.touched) {
    if (access.space != Space::shared) continue;
    const uint8_t what = access.kind == AccessKind::load    ? was_read
                         : access.kind == AccessKind::store ? was_written
                                                            : was_read | was_written;
    for (uint32_t lanes = access.lanes; lanes != 0; lanes &= lanes - 1) {
      const uint64_t from = access.address[static_cast<size_t>(std::countr_zero(lanes))];
      for (uint64_t at = std::max(from, begin); at < std::min(from + access.bytes, end); ++at)
        bytes[static_cast<size_t>(at - begin)] |= what;
    }
  }
  return bytes;
}

std::string heading_of(const StepArray& array, uint64_t each) {
  std::string words = array.array.name;
  for (const uint64_t extent : array.array.extents) words += fmt::format("[{}]", extent);
  if (!array.array.element.empty()) words += fmt::format(" · {}", array.array.element);
  words += fmt::format(" · {}", bytes_text(array.bytes.size()));
  if (each > 1) words += fmt::format(" · a cell is {} elements", each);
  return words;
}

const stepping::NamedArray* named_of(const StepSnapshot& shown, const StepArray& array) {
  return stepping::array_at(shown.named, Space::shared, array.array.address);
}

std::string element_value(const StepSnapshot& shown, const StepArray& array, uint64_t element) {
  const stepping::NamedArray* named = named_of(shown, array);
  if (named == nullptr) return "";
  return stepping::element_text(named->element, array.bytes, element * bytes_of(named->element));
}

// A cell has its value where all of them have room, else a square for each element, else for several.
StepLayout::Grid grid_of(const Style& style, Box box, const StepSnapshot& shown, const StepArray& array) {
  StepLayout::Grid grid;
  const uint64_t size = std::max<uint64_t>(1, array.array.element_bytes);
  const uint64_t elements = (array.bytes.size() + size - 1) / size;
  const uint64_t inner = array.array.extents.size() > 1 ? array.array.extents.back() : 0;
  const float height = std::max(style.px(150), box.height);
  float widest = style.width("0.00", Font::mono, style.small());
  constexpr uint64_t most_measured = 512;
  for (uint64_t i = 0; i < std::min(elements, most_measured); ++i)
    widest =
        std::max(widest, style.width(cell_words(element_value(shown, array, i)), Font::mono, style.small()));
  grid.cell_width = std::min(widest, style.px(64)) + style.px(8);
  grid.cell_height = style.px(18);
  const auto fit = static_cast<uint64_t>(std::max(1.0f, box.width / grid.cell_width));
  uint64_t columns = inner;
  if (inner == 0)
    for (columns = 32; columns > fit && columns > 4;) columns /= 2;
  const uint64_t rows = (elements + columns - 1) / std::max<uint64_t>(1, columns);
  grid.values = elements <= most_measured && columns <= fit && float(rows) * grid.cell_height <= height;
  if (grid.values) {
    grid.columns = columns;
    return grid;
  }
  grid.each = std::max<uint64_t>(1, (elements + most_cells - 1) / most_cells);
  const uint64_t cells = (elements + grid.each - 1) / grid.each;
  grid.columns = grid.each == 1 && inner > 0 && inner <= 128 ? inner : 32;
  const uint64_t rows_of_cells = (cells + grid.columns - 1) / grid.columns;
  const float step = std::min(box.width / float(grid.columns), height / float(rows_of_cells));
  grid.cell_width = grid.cell_height = std::clamp(step, 2.0f, style.px(17));
  return grid;
}

// The warp whose store is the last one in the cell + 1; 0 if there was none.
uint8_t writer_of(const StepArray& array, uint64_t from, uint64_t to) {
  uint8_t found = 0;
  for (uint64_t i = from; i < std::min<uint64_t>(to, array.writers.size()); ++i)
    if (array.writers[static_cast<size_t>(i)] != 0) found = array.writers[static_cast<size_t>(i)];
  return found;
}

class ArrayCells {
 public:
  ArrayCells(Picture& picture, const Style& style, const StepViewInput& input, const StepArray& array,
             const StepLayout::Grid& grid)
      : m_picture(picture),
        m_style(style),
        m_input(input),
        m_array(array),
        m_grid(grid),
        m_touched(touched(*input.shown, array)) {}

  void draw(Box square, uint64_t cell) {
    const Palette& p = m_style.palette;
    const uint64_t size = std::max<uint64_t>(1, m_array.array.element_bytes);
    const uint64_t from = cell * m_grid.each * size,
                   to = std::min<uint64_t>(from + m_grid.each * size, m_array.bytes.size());
    const uint64_t at = m_array.array.address;
    const uint8_t writer = writer_of(m_array, from, to);
    uint8_t now = 0;
    for (uint64_t i = from; i < to; ++i) now |= m_touched[static_cast<size_t>(i)];
    const bool written = (now & was_written) != 0, read = (now & was_read) != 0;
    const uint32_t colour = writer == 0 ? p.raised : group_colours[(writer - 1u) % group_colours.size()];
    const double share = writer == 0 ? 0 : written ? 0.85 : 0.35;
    const uint32_t fill = mix(p.raised, colour, share);
    const bool chosen = m_input.target && m_input.target->space == Space::shared &&
                        m_input.target->address < at + to &&
                        at + from < m_input.target->address + m_input.target->bytes;
    const Colour line = chosen || written ? solid(p.text) : read ? solid(p.accent) : solid(p.line);
    // A wide line would leave nothing of a small cell's colour.
    const bool wide = (chosen || written || read) && square.width >= m_style.px(9);
    const float width = wide ? std::max(1.0f, m_style.px(2)) : 1.0f;
    m_picture.rectangle(square, solid(fill), 1, line, width);
    if (m_grid.values) {
      m_picture.text({square.right() - m_style.px(4), square.centre().y},
                     cell_words(element_value(*m_input.shown, m_array, cell)), Font::mono, m_style.small(),
                     solid(ink_on(fill)), AlignX::right, AlignY::middle);
    } else if (writer != 0 && square.width >= m_style.px(13)) {
      m_picture.text(square.centre(), std::to_string(writer - 1), Font::words, m_style.px(9),
                     solid(ink_on(fill)), AlignX::centre, AlignY::middle);
    }
  }

 private:
  Picture& m_picture;
  const Style& m_style;
  const StepViewInput& m_input;
  const StepArray& m_array;
  const StepLayout::Grid& m_grid;
  const std::vector<uint8_t> m_touched;
};

// Which colour is which warp, in words, of those that have written.
float draw_writers(Picture& picture, const Style& style, Box box, const StepArray& array) {
  std::vector<bool> wrote(warp_lanes + 1, false);
  for (const uint8_t writer : array.writers) wrote[std::min<size_t>(writer, warp_lanes)] = true;
  float x = box.x;
  bool any = false;
  for (size_t warp = 0; warp < warp_lanes; ++warp) {
    if (!wrote[warp + 1]) continue;
    const std::string words = any ? std::to_string(warp) : fmt::format("written by warp {}", warp);
    const float width = style.px(14) + style.width(words, Font::words, style.small()) + style.px(10);
    if (x + width > box.right()) break;
    picture.rectangle({x, box.y + style.px(4), style.px(10), style.px(10)},
                      solid(group_colours[warp % group_colours.size()]), 1);
    picture.text({x + style.px(14), box.y}, words, Font::words, style.small(), solid(style.palette.quiet));
    x += width;
    any = true;
  }
  return any ? box.y + style.px(22) : box.y;
}

// Elements as cells, a row of the array a row of cells, so that a column of a tile looks like one.
float draw_array(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                 const StepArray& array, StepLayout& layout) {
  const StepLayout::Grid grid = grid_of(style, box, *input.shown, array);
  const uint64_t size = std::max<uint64_t>(1, array.array.element_bytes);
  const uint64_t cells = ((array.bytes.size() + size - 1) / size + grid.each - 1) / grid.each;
  const float y0 = draw_heading(picture, style, {box.x, box.y}, heading_of(array, grid.each));
  const uint64_t rows = (cells + grid.columns - 1) / grid.columns;
  ArrayCells drawn(picture, style, input, array, grid);
  for (uint64_t cell = 0; cell < cells; ++cell) {
    const uint64_t column = cell % grid.columns, row = cell / grid.columns;
    drawn.draw({box.x + grid.cell_width * float(column), y0 + grid.cell_height * float(row),
                grid.cell_width - 1, grid.cell_height - 1},
               cell);
  }
  const float bottom = y0 + grid.cell_height * float(rows);
  layout.arrays.push_back({box.x, y0, grid.cell_width * float(grid.columns), bottom - y0});
  layout.grids.push_back(grid);
  return draw_writers(picture, style, {box.x, bottom + style.px(3), box.width, 0}, array) + style.px(6);
}

std::string access_words(const AccessView& view) {
  const char* verb = verb_of(view.kind);
  return fmt::format("warp {} {} {}: {}", view.warp, verb, view.buffer.empty() ? "memory" : view.buffer,
                     view.sentence);
}

}  // namespace

float draw_step_memory(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                       StepLayout& layout) {
  const StepSnapshot& shown = *input.shown;
  float y = box.y;
  for (const StepArray& array : shown.arrays)
    y = draw_array(picture, style, {box.x, y, box.width, box.height / float(shown.arrays.size())}, input,
                   array, layout);
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
