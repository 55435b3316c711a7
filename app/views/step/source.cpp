// The source of the stepped block: the current line, breakpoints in the gutter, where warps wait, and what
// the line has just read and written.
#include <fmt/format.h>

#include <algorithm>

#include "app/base/draw/parts.h"
#include "app/views/model/code_lines.h"
#include "app/views/step/picture_sections.h"

namespace warplens {
namespace {

// Whose paths stand at each line: of the shown warp those that are not next, and other warps.
struct LineMark {
  uint32_t line = 0;
  std::string words;
};

bool shows_ptx(const StepViewInput& input) { return input.show_ptx || input.source.empty(); }

uint32_t line_in(const StepViewInput& input, const stepping::CodePlace& place) {
  return shows_ptx(input) ? place.ptx_line : place.line;
}

// The line that a chosen caller has called in; 0 where none is chosen.
uint32_t call_line(const StepViewInput& input) {
  return input.shown->frame ? line_in(input, input.shown->frame->at) : 0;
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
    if (!path.runs_next && shown.end == stepping::End::none)
      add(line_in(input, path.at), lanes_words(path.lanes) + " wait here");
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

class SourceLines {
 public:
  SourceLines(Picture& picture, const Style& style, const StepViewInput& input, bool with_access,
              StepLayout& layout)
      : m_picture(picture),
        m_style(style),
        m_input(input),
        m_with_access(with_access),
        m_layout(layout),
        m_marks(marks_of(input)) {}

  // Returns the y below.
  float draw(Box line, uint32_t number, std::string_view text) {
    m_layout.lines.push_back(line);
    const uint32_t current = shows_ptx(m_input) ? m_input.shown->ptx_line : m_input.shown->line;
    const auto mark = std::ranges::find(m_marks, number, &LineMark::line);
    draw_ground(line, number == current, mark != m_marks.end());
    if (number == call_line(m_input)) draw_call(line);
    draw_gutter(line, number);
    draw_text(line, number, without_tabs(text), mark == m_marks.end() ? "" : mark->words);
    return draw_access(line, number);
  }

 private:
  float px(float length) const { return m_style.px(length); }

  void draw_ground(Box line, bool current, bool marked) {
    const Palette& p = m_style.palette;
    if (!current) {
      if (marked) m_picture.rectangle(line, solid(p.raised), px(3));
      return;
    }
    m_layout.current = m_layout.lines.size() - 1;
    m_picture.rectangle(line, solid(mix(p.panel, p.accent, 0.22)), px(3));
    m_picture.rectangle({line.x, line.y, px(3), line.height}, solid(p.accent));
    Path arrow;
    const float middle = line.centre().y, x = line.x + px(21);
    arrow.points = {{x, middle - px(5)}, {x + px(7), middle}, {x, middle + px(5)}};
    arrow.closed = true;
    arrow.fill = solid(p.accent);
    m_picture.shapes.emplace_back(std::move(arrow));
  }

  // Where the chosen caller is: an arrow without a filling, since the line does not run next.
  void draw_call(Box line) {
    const Palette& p = m_style.palette;
    m_picture.rectangle(line, solid(mix(p.panel, p.accent, 0.1)), px(3));
    Path arrow;
    const float middle = line.centre().y, x = line.x + px(21);
    arrow.points = {{x, middle - px(5)}, {x + px(7), middle}, {x, middle + px(5)}};
    arrow.closed = true;
    arrow.line = solid(p.accent);
    arrow.line_width = px(1.5f);
    m_picture.shapes.emplace_back(std::move(arrow));
  }

  const StepBreakpoint* breakpoint(uint32_t number) const {
    const auto& all = m_input.breakpoints;
    const auto found = std::ranges::find(all, number, &StepBreakpoint::line);
    return shows_ptx(m_input) || found == all.end() ? nullptr : &*found;
  }

  // A breakpoint is a disc, one with a condition a ring around a dot.
  void draw_gutter(Box line, uint32_t number) {
    const Palette& p = m_style.palette;
    const float gutter = px(step_gutter);
    m_picture.text({line.x + gutter - px(8), line.centre().y}, std::to_string(number), Font::mono,
                   m_style.small(), solid(p.quiet), AlignX::right, AlignY::middle);
    const StepBreakpoint* at = breakpoint(number);
    if (at != nullptr) {
      const float size = px(10);
      const Box disc{line.x + px(6), line.centre().y - size / 2, size, size};
      const bool plain = at->condition.empty();
      m_picture.rectangle(disc, plain ? solid(p.action) : Colour{}, size / 2, solid(p.action), px(2));
      if (!plain) m_picture.rectangle(disc.inset(px(3.5f)), solid(p.action), px(2));
    }
    if (shows_ptx(m_input)) return;
    m_picture.area({line.x, line.y, gutter - px(4), line.height},
                   m_input.interactive ? Click(StepVerb::toggle, number) : Click(),
                   at != nullptr ? "Click: clear the breakpoint (F9 on the current line)"
                                 : "Click: set a breakpoint (F9 on the current line)");
  }

  void draw_text(Box line, uint32_t number, const std::string& plain, const std::string& mark) {
    const Palette& p = m_style.palette;
    const float gutter = px(step_gutter);
    const Box code{line.x + gutter, line.y, line.width - gutter - px(4), line.height};
    const std::string seen = shortened(m_style, plain, Font::mono, m_style.small(), code.width);
    m_picture.text({code.x, line.centre().y}, seen, Font::mono, m_style.small(), solid(p.text), AlignX::left,
                   AlignY::middle);
    std::string beside = mark;
    if (const StepBreakpoint* at = breakpoint(number); at != nullptr && !at->condition.empty())
      beside = "if " + at->condition + (beside.empty() ? "" : " · ") + beside;
    if (!beside.empty()) {
      const float text = m_style.width(plain, Font::mono, m_style.small()) + px(14);
      m_picture.text({code.right(), line.centre().y},
                     shortened(m_style, beside, Font::words, m_style.small(), code.width - text - px(4)),
                     Font::words, m_style.small(), solid(p.quiet), AlignX::right, AlignY::middle);
    }
    const std::string whole = seen == plain ? "" : plain.substr(plain.find_first_not_of(' ')) + "\n";
    const std::string hint = whole + "Click: run until the shown warp comes here";
    const bool runs = m_input.interactive && !shows_ptx(m_input);
    m_picture.area(code, runs ? Click(StepVerb::line, number) : Click(),
                   !runs            ? whole + beside
                   : beside.empty() ? hint
                                    : beside + "\n" + hint);
  }

  // Below the line that has just accessed memory.
  float draw_access(Box line, uint32_t number) {
    if (shows_ptx(m_input) || !m_with_access) return line.bottom();
    const std::string words = words_of_access(*m_input.shown, number, m_input.lane);
    if (words.empty()) return line.bottom();
    const float x = line.x + px(step_gutter);
    const Box row{x, line.bottom(), line.right() - x - px(4), px(18)};
    const std::string whole = fmt::format("→ lane {} {}", m_input.lane, words);
    m_picture.text({row.x, row.centre().y}, shortened(m_style, whole, Font::mono, m_style.small(), row.width),
                   Font::mono, m_style.small(), solid(m_style.palette.accent), AlignX::left, AlignY::middle);
    m_picture.area(row, {}, whole);
    return row.bottom();
  }

  static constexpr float step_gutter = 58;
  Picture& m_picture;
  const Style& m_style;
  const StepViewInput& m_input;
  const bool m_with_access;
  StepLayout& m_layout;
  const std::vector<LineMark> m_marks;
};

}  // namespace

float draw_step_source(Picture& picture, const Style& style, Box box, const StepViewInput& input,
                       StepLayout& layout) {
  const bool ptx = shows_ptx(input);
  layout.source = box;
  // If there is little room, all of it is for the lines.
  const bool with_heading = box.height >= style.px(110);
  float y = box.y;
  if (with_heading)
    y = draw_heading(picture, style, {box.x, box.y + style.px(3)},
                     ptx ? std::string("PTX") : std::string(input.source_name)) +
        style.px(6);
  if (with_heading && input.interactive && !input.source.empty())
    draw_chip(picture, style, {box.right() - chip_width(style, "PTX"), box.y - style.px(3)}, "PTX", ptx,
              StepVerb::ptx, "The instructions as the virtual GPU runs them (X)");
  const float row = style.px(21);
  const auto lines = lines_of(ptx ? input.ptx : input.source);
  const auto rows = static_cast<uint32_t>(std::max(1.0f, (box.bottom() - y + 1) / row));
  const uint32_t current = ptx ? input.shown->ptx_line : input.shown->line;
  const auto count = static_cast<uint32_t>(lines.size());
  const uint32_t call = call_line(input);
  const int64_t wanted = int64_t{call != 0 ? call : current} - rows / 2 + input.source_scroll;
  const auto last = std::max<int64_t>(1, int64_t{count} - rows + 2);
  const auto first = static_cast<uint32_t>(std::clamp<int64_t>(wanted, 1, last));
  layout.first_line = first;
  SourceLines drawn(picture, style, input, with_heading, layout);
  for (uint32_t number = first; number <= count && y + row <= box.bottom() + 1; ++number)
    y = drawn.draw({box.x, y, box.width, row}, number, lines[number - 1]);
  return y;
}

}  // namespace warplens
