#include "app/views/step/picture.h"

#include <algorithm>
#include <cmath>

#include "app/views/step/picture_sections.h"

namespace warplens {
namespace {

// Where the parts stand.
struct Parts {
  bool compact = false;  // little room: one column next to the source or below it
  bool brief = false;    // only the main buttons
  Box source, below_source, centre, side, controls;
};

constexpr float gap_width = 20;

// What 60 characters of the source need.
float sixty_characters(const Style& style) {
  return style.width("0", Font::mono, style.small()) * 60 + style.px(78);
}

// With little room: the current line and, below or next to it, everything else.
void divide_compact(const Style& style, Box box, float height, Parts& parts) {
  const float gap = style.px(gap_width);
  const bool beside = box.width >= style.px(480);
  // The lines are read first: they get more than half.
  const float half = (box.width - gap) / 2,
              source_width = std::max(half, std::min(sixty_characters(style), box.width * 0.6f));
  const float width = beside ? std::round(source_width) : box.width;
  const float line = style.px(21);
  const float source = beside ? height : std::round(std::max(line, std::floor(height * 0.4f / line) * line));
  parts.source = {box.x, box.y, width, source};
  const float top = box.y + source + style.px(4);
  parts.centre = beside ? Box{box.x + width + gap, box.y, box.width - width - gap, height}
                        : Box{box.x, top, box.width, std::max(0.0f, box.y + height - top)};
}

Parts parts_of(const Style& style, Box box, const StepViewInput& input) {
  Parts parts;
  const float gap = style.px(gap_width);
  parts.compact = box.width < style.px(640) || box.height < style.px(400);
  constexpr float most_controls = 0.32f;
  parts.brief =
      parts.compact || step_controls_height(style, box.width, input, false) > most_controls * box.height;
  const float controls = step_controls_height(style, box.width, input, parts.brief);
  const float height = std::round(std::max(style.px(parts.compact ? 60 : 200), box.height - controls));
  parts.controls = {box.x, box.y + height, box.width, controls};
  if (parts.compact) {
    divide_compact(style, box, height - style.px(6), parts);
    return parts;
  }
  const bool third = box.width >= style.px(1150);
  const float side = third ? style.px(280) : 0;
  // 60 characters of the source at least, as long as the lanes have room.
  const float sixty = sixty_characters(style);
  const float left = std::round(
      std::min(std::max((box.width - side) * 0.42f, std::min(sixty, box.width * 0.59f)), style.px(620)));
  // No more than the text needs, with two lines of what was read and written.
  const std::string_view text = input.show_ptx || input.source.empty() ? input.ptx : input.source;
  const auto lines = static_cast<float>(std::min<std::ptrdiff_t>(std::ranges::count(text, '\n'), 60));
  const float most_lines = std::clamp(lines + 4, 8.0f, 26.0f);
  const float source = std::round(std::min(height * (third ? 0.72f : 0.58f), style.px(21 * most_lines)));
  parts.source = {box.x, box.y, left, source};
  parts.below_source = {box.x, box.y + source + style.px(8), left, height - source - style.px(8)};
  const float x = box.x + left + gap, end = box.right() - (third ? side + gap : 0);
  parts.centre = {x, box.y, end - x, height};
  if (third) parts.side = {end + gap, box.y, side, height};
  return parts;
}

// In the window a column is cut at its end and scrolls; in a file it is as long as it needs.
class LaneColumn {
 public:
  LaneColumn(Picture& picture, const StepViewInput& input, StepLayout::Column& layout, Box box, float scroll)
      : m_picture(picture), m_layout(layout), m_clips(input.interactive), m_first(picture.areas.size()) {
    m_layout.box = box;
    m_top = std::round(box.y - (m_clips ? scroll : 0));
    if (m_clips) m_picture.begin_clip(box);
  }
  float top() const { return m_top; }
  // Returns the y below in a file.
  float end(const Style& style, float y) {
    m_layout.height = y - m_top;
    if (!m_clips) return y;
    m_picture.end_clip();
    for (size_t i = m_first; i < m_picture.areas.size(); ++i) m_picture.areas[i].clip = m_layout.box;
    draw_bar(style);
    return m_layout.box.bottom();
  }

 private:
  // How far it is scrolled, at its right edge.
  void draw_bar(const Style& style) {
    const Box& box = m_layout.box;
    if (m_layout.height <= box.height || box.height <= 0) return;
    const float share = box.height / m_layout.height;
    const float y = box.y + (box.y - m_top) * share;
    m_picture.rectangle(
        {box.right() + style.px(3), y, style.px(4), std::max(style.px(12), box.height * share)},
        solid(style.palette.line), style.px(2));
  }
  Picture& m_picture;
  StepLayout::Column& m_layout;
  bool m_clips;
  size_t m_first;
  float m_top = 0;
};

struct Drawing {
  Picture& picture;
  const Style& style;
  const StepViewInput& input;
  StepLayout& layout;

  LaneColumn column(StepColumn which, Box box) {
    const auto index = static_cast<size_t>(which);
    return {picture, input, layout.columns[index], box, input.scroll[index]};
  }

  float below_source(Box box, bool with_thread) {
    if (box.height <= 0) return box.y;
    LaneColumn column = this->column(StepColumn::below_source, box);
    float y = draw_step_paths(picture, style, {box.x, column.top(), box.width, 0}, input, layout);
    y = draw_step_breakpoints(picture, style, {box.x, y, box.width, 0}, input, layout);
    if (with_thread) y = draw_step_thread(picture, style, {box.x, y, box.width, 0}, input, layout);
    return column.end(style, y);
  }

  float centre(Box box, bool compact, bool brief) {
    LaneColumn column = this->column(StepColumn::centre, box);
    // In a very low column there are no headings.
    const auto rest = [&](float y) { return Box{box.x, y, box.width, box.height}; };
    const uint32_t warps = !compact ? 8 : box.height < style.px(300) ? 1 : 4;
    float y = column.top();
    if (brief && input.all_buttons) y = draw_step_buttons(picture, style, rest(y), input);
    if (brief) y = draw_step_message(picture, style, rest(y), input);
    y = draw_step_orders(picture, style, rest(y), input);
    y = draw_step_warps(picture, style, rest(y), input, warps, layout);
    y = draw_step_stack(picture, style, rest(y), input, layout);
    y = draw_step_values(picture, style, rest(y), input, layout);
    if (compact) {
      y = draw_step_paths(picture, style, rest(y), input, layout);
      y = draw_step_breakpoints(picture, style, rest(y), input, layout);
      y = draw_step_thread(picture, style, rest(y), input, layout);
    }
    // The arrays take what is left of the column, and leave room for the access under way.
    const float left = box.bottom() - y - style.px(190);
    y = draw_step_memory(
        picture, style, {box.x, y, box.width, std::clamp(left, style.px(230), style.px(440))}, input, layout);
    return column.end(style, y);
  }

  float side(Box box) {
    LaneColumn column = this->column(StepColumn::side, box);
    return column.end(style,
                      draw_step_thread(picture, style, {box.x, column.top(), box.width, 0}, input, layout));
  }
};

}  // namespace

StepLayout draw_step_view(Picture& picture, const Style& style, Box box, const StepViewInput& input) {
  StepLayout layout;
  if (input.shown == nullptr || input.shown->warps.empty()) {
    layout.bottom = draw_paragraph(picture, style, {box.x, box.y}, input.message, Font::words, style.body(),
                                   solid(style.palette.quiet), box.width);
    return layout;
  }
  const Parts parts = parts_of(style, box, input);
  Drawing drawing{picture, style, input, layout};
  float y = draw_step_source(picture, style, parts.source, input, layout);
  if (!parts.compact) {
    const float from = input.interactive ? parts.below_source.y : y + style.px(8);
    const Box below{parts.below_source.x, from, parts.below_source.width,
                    std::max(style.px(20), parts.controls.y - from)};
    y = std::max(y, drawing.below_source(below, parts.side.empty()));
  }
  y = std::max(y, drawing.centre(parts.centre, parts.compact, parts.brief));
  if (!parts.side.empty()) y = std::max(y, drawing.side(parts.side));
  Box controls = parts.controls;
  controls.y = std::max(controls.y, input.interactive ? controls.y : y);
  layout.bottom = draw_step_controls(picture, style, controls, input, parts.brief, layout);
  return layout;
}

}  // namespace warplens
