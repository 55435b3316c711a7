// The values of one warp lane by lane: variables with their parts, or registers; and what it read and wrote
// last.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "app/base/draw/parts.h"
#include "app/views/step/picture_sections.h"

namespace warplens {
namespace {

// The limit for registers, which are many. All variables are shown.
constexpr size_t most_registers = 32;

class ValueTable {
 public:
  ValueTable(Picture& picture, const Style& style, Box box, const StepViewInput& input, StepLayout& layout)
      : m_picture(picture), m_style(style), m_box(box), m_input(input), m_layout(layout) {}

  // Widths of the columns, from what stands in them.
  void measure(const std::vector<const StepValue*>& values) {
    m_name = m_type = px(40);
    float widest = m_style.width("31", Font::mono, m_style.small());
    for (const StepValue* value : values) {
      const float name = m_style.width(value->name, Font::mono, m_style.small()) + indent(*value) + px(14);
      m_name = std::max(m_name, name);
      m_type = std::max(m_type, m_style.width(value->type, Font::mono, m_style.small()) + px(14));
      if (!value->folded.empty()) continue;
      for (const std::string& text : value->lanes)
        widest = std::max(widest, m_style.width(text, Font::mono, m_style.small()));
    }
    m_name = std::min(m_name, m_box.width * 0.3f);
    m_type = std::min(m_type, m_box.width * 0.18f);
    m_x = m_box.x + m_name + m_type;
    const float room = std::max(px(40), m_box.right() - m_x);
    const float column = std::min(widest, px(96)) + px(10);
    m_columns = std::clamp(static_cast<uint32_t>(room / column), 1u, warp_lanes);
    m_column = room / static_cast<float>(m_columns);
    m_first = std::min(m_input.lane / m_columns * m_columns, warp_lanes - m_columns);
  }

  float draw_lanes(float y) {
    const Palette& p = m_style.palette;
    const float middle = y + row() / 2;
    m_picture.text({m_x - px(8), middle}, "lane", Font::words, m_style.small(), solid(p.quiet), AlignX::right,
                   AlignY::middle);
    for (uint32_t lane = m_first; lane < m_first + m_columns; ++lane)
      m_picture.text({right_of(lane), middle}, std::to_string(lane), Font::mono, m_style.small(),
                     solid(lane == m_input.lane ? p.text : p.quiet), AlignX::right, AlignY::middle);
    return y + row();
  }

  float draw(const StepValue& value, float y) {
    const Palette& p = m_style.palette;
    const Box line{m_box.x, y, m_box.width, row()};
    m_layout.values.push_back(line);
    if (value.changed != 0) m_picture.rectangle(line, solid(mix(p.panel, p.accent, 0.16)), px(3));
    draw_name(value, line);
    m_picture.text({m_box.x + m_name, line.centre().y},
                   shortened(m_style, value.type, Font::mono, m_style.small(), m_type - px(8)), Font::mono,
                   m_style.small(), solid(p.quiet), AlignX::left, AlignY::middle);
    if (value.folded.empty())
      draw_each(value, line);
    else
      draw_folded(value, line);
    m_picture.area({m_x, y, std::max(0.0f, m_box.right() - m_x), row()}, {}, hint_of(value));
    return y + row();
  }

 private:
  float px(float length) const { return m_style.px(length); }
  float row() const { return px(20); }
  float indent(const StepValue& value) const { return px(16) + px(14) * float(value.depth); }
  float right_of(uint32_t lane) const {
    return m_x + m_column * static_cast<float>(lane - m_first + 1) - px(6);
  }

  // What opens has a small triangle: to the right while it is closed, down while it is open.
  void draw_name(const StepValue& value, Box line) {
    const Palette& p = m_style.palette;
    const float x = line.x + indent(value), middle = line.centre().y, half = px(4);
    m_picture.text({x, middle},
                   shortened(m_style, value.name, Font::mono, m_style.small(), m_box.x + m_name - x),
                   Font::mono, m_style.small(), solid(p.text), AlignX::left, AlignY::middle);
    if (!value.opens) return;
    Path triangle;
    const float left = x - px(12);
    triangle.points = value.open ? std::vector<Point>{{left, middle - half / 2},
                                                      {left + 2 * half, middle - half / 2},
                                                      {left + half, middle + half}}
                                 : std::vector<Point>{{left + half / 2, middle - half},
                                                      {left + 1.5f * half, middle},
                                                      {left + half / 2, middle + half}};
    triangle.closed = true;
    triangle.fill = solid(p.accent);
    m_picture.shapes.emplace_back(std::move(triangle));
    m_picture.area({line.x, line.y, m_name, line.height},
                   m_input.interactive ? Click(StepVerb::part, value.path) : Click(),
                   value.open ? "Click: close it" : "Click: show its parts");
  }

  void draw_folded(const StepValue& value, Box line) {
    const Palette& p = m_style.palette;
    const bool has = value.set != 0;
    const Font font = has ? Font::mono : Font::words;
    m_picture.text({m_x + px(4), line.centre().y},
                   shortened(m_style, value.folded, font, m_style.small(), m_box.right() - m_x - px(6)), font,
                   m_style.small(),
                   solid(value.changed != 0 ? p.accent
                         : has              ? p.text
                                            : p.quiet),
                   AlignX::left, AlignY::middle);
  }

  // A value that the column is too narrow for is not cut to one letter: it becomes a dot with a hover text.
  void draw_each(const StepValue& value, Box line) {
    const Palette& p = m_style.palette;
    for (uint32_t lane = m_first; lane < m_first + m_columns; ++lane) {
      const bool set = (value.set >> lane & 1) != 0, changed = (value.changed >> lane & 1) != 0;
      std::string text = "–";
      if (set) {
        text = shortened(m_style, value.lanes[lane], Font::mono, m_style.small(), m_column - px(8));
        if (text.size() < 4 && text != value.lanes[lane]) text = "·";
      }
      m_picture.text({right_of(lane), line.centre().y}, text, Font::mono, m_style.small(),
                     solid(changed ? p.accent
                           : set   ? p.text
                                   : p.quiet),
                     AlignX::right, AlignY::middle);
    }
  }

  std::string hint_of(const StepValue& value) const {
    std::string hint;
    if ((value.set >> m_input.lane & 1) != 0)
      hint = fmt::format("{} in lane {}: {}", value.name, m_input.lane, value.lanes[m_input.lane]);
    else if ((value.not_set >> m_input.lane & 1) != 0)
      hint = fmt::format("{} is not set yet in lane {}", value.name, m_input.lane);
    if (value.not_set != 0 && value.set != 0)
      hint += fmt::format("{}Not set yet in {}", hint.empty() ? "" : "\n", lanes_words(value.not_set));
    return hint;
  }

  Picture& m_picture;
  const Style& m_style;
  const Box m_box;
  const StepViewInput& m_input;
  StepLayout& m_layout;
  float m_name = 0, m_type = 0, m_x = 0, m_column = 0;
  uint32_t m_columns = 1, m_first = 0;
};

// Variables keep their order, the innermost at the end. Of the many registers, changed ones stand first.
std::vector<const StepValue*> rows_of(const std::vector<StepValue>& values, bool named) {
  std::vector<const StepValue*> rows;
  for (const bool changed : {true, false})
    for (const StepValue& value : values)
      if (named ? changed : (value.changed != 0) == changed) rows.push_back(&value);
  return rows;
}

}  // namespace

float draw_step_values(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                       StepLayout& layout) {
  const StepSnapshot& shown = *input.shown;
  const Palette& p = style.palette;
  const bool named = shown.no_variables.empty() && !input.show_ptx;
  const std::vector<StepValue> accessed = accessed_values(input);
  std::vector<const StepValue*> rows = rows_of(named ? shown.variables : shown.registers, named);
  const bool low = box.height > 0 && box.height < style.px(120);
  float y = box.y;
  if (!low)
    y = draw_heading(picture, style, {box.x, y},
                     named && shown.frame
                         ? fmt::format("VARIABLES OF {}, WARP {}", shown.frame->function, shown.warp)
                         : fmt::format("{} OF WARP {}", named ? "VARIABLES" : "REGISTERS", shown.warp));
  if (!shown.no_variables.empty())
    y = draw_paragraph(picture, style, {box.x, y}, shown.no_variables, Font::words, style.small(),
                       solid(p.quiet), box.width) +
        style.px(4);
  if (!named && shown.frame)
    y = draw_paragraph(picture, style, {box.x, y}, "These are the registers of where each lane is.",
                       Font::words, style.small(), solid(p.quiet), box.width) +
        style.px(4);
  if (rows.empty())
    y = draw_paragraph(picture, style, {box.x, y},
                       named ? "No variable is in scope here." : "No variable has a value yet.", Font::words,
                       style.small(), solid(p.quiet), box.width);
  const size_t most = named ? rows.size() : most_registers, left = rows.size() - std::min(rows.size(), most);
  rows.resize(std::min(rows.size(), most));
  std::vector<const StepValue*> all = rows;
  for (const StepValue& value : accessed) all.push_back(&value);
  if (all.empty()) return y + style.px(8);
  ValueTable table(picture, style, box, input, layout);
  table.measure(all);
  if (!low) y = table.draw_lanes(y);
  for (const StepValue* value : rows) y = table.draw(*value, y);
  if (left > 0) {
    picture.text({box.x, y}, fmt::format("and {} more", left), Font::words, style.small(), solid(p.quiet));
    y += style.px(20);
  }
  if (!accessed.empty()) y = draw_heading(picture, style, {box.x, y + style.px(6)}, "READ AND WRITTEN LAST");
  for (const StepValue& value : accessed) y = table.draw(value, y);
  return y + style.px(8);
}

}  // namespace warplens
