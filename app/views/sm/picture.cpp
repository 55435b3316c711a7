#include "app/views/sm/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/base/draw/parts.h"
#include "app/base/draw/plot.h"
#include "app/base/format.h"
#include "app/views/sm/bars.h"
#include "app/views/sm/picture_sections.h"

namespace warplens {
namespace {

constexpr float slot_height = 16, slot_pitch = 22, most_pitch = 40;

class Part {
 public:
  Part(Picture& picture, const Style& style, const SmPictureInput& input, SmLayout& layout,
       const SmView& view, bool one_strip)
      : m_picture(picture),
        m_style(style),
        m_input(input),
        m_layout(layout),
        m_view(view),
        m_bars{input, view, layout.range},
        m_strips(strips_of(view, input, one_strip)) {}

  // Title, slots, rows, axis. Returns the y below them.
  float draw(Box box, float names, float pitch, const std::string& title) {
    m_names = names;
    float y = box.y;
    if (!title.empty()) {
      m_picture.text({box.x, y}, shortened(m_style, title, Font::strong, m_style.body(), box.width),
                     Font::strong, m_style.body(), solid(m_style.palette.text));
      y += m_style.px(24);
    }
    const Box bars{box.x + names, y, box.width - names, 0};
    const float rows_top = y + strips_height(m_style, m_strips);
    const std::vector<size_t> shown = rows_shown(m_view, m_input.scheduler);
    const float rows_bottom = place_rows(bars, rows_top, pitch, shown);
    draw_time({bars.x, y, bars.width, rows_bottom - y});
    for (const uint32_t scheduler : m_strips) {
      draw_slots(box, y, scheduler);
      y += m_style.px(slot_pitch);
    }
    draw_rows(box, shown);
    m_part.view = &m_view;
    m_part.bars = {bars.x, bars.y, bars.width, rows_bottom - bars.y};
    if (m_input.cursor) draw_cursor(m_part.bars);
    m_layout.parts.push_back(m_part);
    return rows_bottom + m_style.px(26);
  }

  // The schedulers whose issue slots are drawn: with little room, only that of the warps below.
  static std::vector<uint32_t> strips_of(const SmView& view, const SmPictureInput& input, bool one_strip) {
    std::vector<uint32_t> strips;
    for (uint32_t s = 0; s < view.schedulers.size(); ++s)
      if (!one_strip || !input.scheduler || *input.scheduler == s) strips.push_back(s);
    return strips;
  }
  static float strips_height(const Style& style, const std::vector<uint32_t>& strips) {
    return style.px(slot_pitch) * static_cast<float>(strips.size()) + style.px(8);
  }
  static std::vector<size_t> rows_shown(const SmView& view, std::optional<uint32_t> scheduler) {
    std::vector<size_t> rows;
    for (size_t r = 0; r < view.rows.size(); ++r)
      if (!scheduler || view.rows[r].scheduler == *scheduler) rows.push_back(r);
    return rows;
  }
  // Without the rows themselves.
  static float height_around(const Style& style, const SmView& view, const SmPictureInput& input,
                             bool one_strip) {
    return strips_height(style, strips_of(view, input, one_strip)) + style.px(26) +
           (input.baseline != nullptr ? style.px(24) : 0) +
           (input.scheduler ? 0 : style.px(8) * static_cast<float>(view.schedulers.size() - 1));
  }

 private:
  float place_rows(Box bars, float top, float pitch, const std::vector<size_t>& shown) {
    float y = top;
    for (size_t i = 0; i < shown.size(); ++i) {
      if (i > 0 && m_view.rows[shown[i]].scheduler != m_view.rows[shown[i - 1]].scheduler) y += m_style.px(8);
      m_part.rows.push_back({bars.x, y, bars.width, pitch - (pitch > 8 ? 3.0f : 1.0f)});
      y += pitch;
    }
    m_part.first_row = shown.empty() ? 0 : shown.front();
    return y;
  }

  void draw_time(Box plot) {
    const Scale scale{m_layout.range.from, m_layout.range.to, plot.x, plot.right(), false};
    draw_x_axis(m_picture, m_style, plot, scale, [](double tick) {
      return tick == std::floor(tick) ? with_separators(static_cast<uint64_t>(std::max(0.0, tick)))
                                      : std::string();
    });
    m_picture.text({plot.x - m_style.px(10), plot.bottom() + m_style.px(6)}, "cycle ≈", Font::words,
                   m_style.small(), solid(m_style.palette.quiet), AlignX::right);
  }

  void draw_slots(Box box, float y, uint32_t scheduler) {
    const bool is_chosen = m_input.scheduler == scheduler;
    const Palette& p = m_style.palette;
    const Box bar{box.x + m_names, y, box.width - m_names, m_style.px(slot_height)};
    const Box name{box.x, y - m_style.px(2), m_names - m_style.px(8), m_style.px(slot_pitch) - m_style.px(2)};
    if (is_chosen) m_picture.rectangle(name, solid(mix(p.panel, p.accent, 0.22)), m_style.px(4));
    const double to = std::min(m_layout.range.to, m_view.cycles),
                 cycles = std::max(1.0, to - m_layout.range.from);
    const double share = double(m_view.schedulers[scheduler].issued(m_layout.range.from, to)) / cycles;
    const std::string percent = fmt::format("{:.0f} %", 100 * share);
    const float room = name.width - m_style.width(percent, Font::mono, m_style.small()) - m_style.px(14);
    const std::string words = that_fits({fmt::format("scheduler {} issues", scheduler),
                                         fmt::format("scheduler {}", scheduler), std::to_string(scheduler)},
                                        Font::words, room);
    m_picture.text({name.x + m_style.px(4), name.centre().y}, words, Font::words, m_style.small(),
                   solid(is_chosen ? p.accent : p.text), AlignX::left, AlignY::middle);
    m_picture.text({name.right() - m_style.px(4), name.centre().y}, percent, Font::mono, m_style.small(),
                   solid(p.text), AlignX::right, AlignY::middle);
    if (m_input.interactive && m_input.view == &m_view)
      m_picture.area(name, Click(SmVerb::scheduler, scheduler), "Show the warps of this scheduler");
    draw_sm_slots(m_picture, m_style, m_bars, scheduler, bar);
  }

  void draw_rows(Box box, const std::vector<size_t>& shown) {
    if (shown.empty()) return;
    draw_sm_rows(m_picture, m_style, m_bars, m_part.first_row, m_part.rows);
    for (size_t i = 0; i < shown.size(); ++i) {
      const SmRow& row = m_view.rows[shown[i]];
      draw_lives(row, m_part.rows[i]);
      if (m_part.rows[i].height >= m_style.small() * 0.95f)
        draw_name(box, row, m_part.rows[i]);
      else if (i == 0 || m_view.rows[shown[i - 1]].scheduler != row.scheduler)
        m_picture.text({box.x + m_style.px(4), m_part.rows[i].y},
                       fmt::format("warps of scheduler {}", row.scheduler), Font::words, m_style.small(),
                       solid(m_style.palette.quiet));
    }
  }

  // Where a warp of another block takes the place, and what is chosen.
  void draw_lives(const SmRow& row, Box box) {
    const double per_cycle = double(box.width) / m_layout.range.length();
    const auto x_of = [&](double cycle) {
      return box.x + static_cast<float>((cycle - m_layout.range.from) * per_cycle);
    };
    auto life = std::ranges::lower_bound(row.lives, m_layout.range.from, {}, &SmLife::end);
    for (; life != row.lives.end() && life->begin < m_layout.range.to; ++life) {
      const float from = std::max(x_of(life->begin), box.x), to = std::min(x_of(life->end), box.right());
      if (life->begin > m_layout.range.from && to - from > 3)
        m_picture.line({from, box.y - 1}, {from, box.bottom() + 1}, solid(m_style.palette.text), 2);
      if (m_input.view == &m_view && m_input.block == life->block &&
          (!m_input.warp || *m_input.warp == life->warp))
        m_picture.rectangle({from - 1, box.y - 1, std::max(3.0f, to - from + 2), box.height + 2}, {}, 0,
                            solid(m_style.palette.accent), 2);
    }
  }

  // At the cursor what the warp does, else which one it is.
  void draw_name(Box box, const SmRow& row, Box bars) {
    const double at = m_input.cursor ? *m_input.cursor : m_layout.range.from;
    const SmLife* life = row.life_at(at);
    if (life == nullptr && !m_input.cursor && !row.lives.empty()) {
      const auto next = std::ranges::lower_bound(row.lives, at, {}, &SmLife::begin);
      if (next != row.lives.end()) life = &*next;
    }
    std::vector<std::string> words;
    bool issues = false;
    if (const auto span = m_input.cursor ? span_at_cycle(row, at) : std::nullopt; span) {
      const WarpState state = m_view.span(row, *span).state;
      issues = state == WarpState::selected;
      words = {words_of(state).one, words_of(state).brief};
    } else if (life != nullptr) {
      const std::string block = position_text(position_at(life->block, m_view.grid), m_view.grid);
      words = {fmt::format("block {}, warp {}", block, life->warp),
               fmt::format("{}, warp {}", block, life->warp), fmt::format("warp {}", life->warp)};
    }
    if (words.empty()) return;
    const Font font = issues ? Font::strong : Font::words;
    m_picture.text({box.x + m_style.px(4), bars.centre().y}, that_fits(words, font, m_names - m_style.px(14)),
                   font, m_style.small(),
                   solid(m_input.cursor ? m_style.palette.text : m_style.palette.quiet), AlignX::left,
                   AlignY::middle);
  }

  // The first of them, or what fits of the last one.
  std::string that_fits(const std::vector<std::string>& words, Font font, float room) const {
    for (const std::string& each : words)
      if (m_style.width(each, font, m_style.small()) <= room) return each;
    return shortened(m_style, words.back(), font, m_style.small(), room);
  }

  void draw_cursor(Box bars) {
    const double share = (*m_input.cursor - m_layout.range.from) / m_layout.range.length();
    if (share < 0 || share > 1) return;
    const float x = bars.x + bars.width * float(share);
    m_picture.line({x, bars.y - m_style.px(4)}, {x, bars.bottom()}, solid(m_style.palette.text),
                   m_style.px(2));
    const std::string words =
        fmt::format("cycle {}", with_separators(static_cast<uint64_t>(std::max(0.0, *m_input.cursor))));
    const float width = m_style.width(words, Font::strong, m_style.small()) + m_style.px(10);
    const Box label{std::clamp(x - width / 2, bars.x, bars.right() - width), bars.bottom() + m_style.px(3),
                    width, m_style.px(20)};
    m_picture.rectangle(label, solid(m_style.palette.text), m_style.px(3));
    m_picture.text(label.centre(), words, Font::strong, m_style.small(), solid(m_style.palette.panel),
                   AlignX::centre, AlignY::middle);
  }

  Picture& m_picture;
  const Style& m_style;
  const SmPictureInput& m_input;
  SmLayout& m_layout;
  const SmView& m_view;
  SmBars m_bars;
  std::vector<uint32_t> m_strips;
  SmPart m_part;
  float m_names = 0;
};

// In rows that are easily read.
bool has_room_for_all(const Style& style, Box box, const SmPictureInput& input) {
  const size_t rows = input.view->rows.size() + (input.baseline != nullptr ? input.baseline->rows.size() : 0);
  const float around = style.px(input.baseline != nullptr ? 520.0f : 360.0f);
  return around + style.px(22) * static_cast<float>(rows) <= box.height;
}

float names_width(const Style& style, float width) {
  const float wanted = style.width("scheduler 0 issues", Font::words, style.small()) +
                       style.width("100 %", Font::mono, style.small()) + style.px(30);
  return std::min(wanted, width * 0.34f);
}

float draw_why_not(Picture& picture, const Style& style, Box box, const SmView& view) {
  float y = draw_paragraph(picture, style, {box.x, box.y},
                           "There is no model of an SM for this launch: " + view.message + ".", Font::strong,
                           style.px(19), solid(style.palette.text), box.width);
  if (!view.advice.empty())
    y = draw_paragraph(picture, style, {box.x, y + style.px(4)}, view.advice, Font::words, style.body(),
                       solid(style.palette.text), box.width);
  return y;
}

}  // namespace

SmLayout draw_sm_view(Picture& picture, const Style& style, Box box, const SmPictureInput& given) {
  SmLayout layout;
  SmPictureInput input = given;
  const SmView& view = *input.view;
  if (!view.model) {
    layout.bottom = draw_why_not(picture, style, box, view);
    return layout;
  }
  if (input.baseline != nullptr && !input.baseline->model) input.baseline = nullptr;
  if (input.scheduler && *input.scheduler >= view.schedulers.size()) input.scheduler = 0;
  if (input.automatic && has_room_for_all(style, box, input)) input.scheduler.reset();
  layout.scheduler = input.scheduler;
  layout.end = std::max(view.cycles, input.baseline != nullptr ? input.baseline->cycles : 0);
  layout.range = clamped(input.range.value_or(TimeRange{0, layout.end}), layout.end, shortest_cycles);
  // With little room the picture comes before its buttons and its legend.
  const bool two = input.baseline != nullptr, cramped = box.height < style.px(460),
             one_strip = cramped || (two && box.height < style.px(800));
  const auto controls = [&](float y) {
    if (input.interactive) {
      std::vector<Chip> chips = chips_of_sm(input);
      chips[0].label += fmt::format(" · {} cycles/s", significant(input.cycles_a_second, 2));
      y = draw_chips(picture, style, {box.x, y, box.width, 0}, chips) + style.px(10);
    }
    return draw_sm_legend(picture, style, {box.x, y, box.width, 0}, input,
                          cramped || box.height > style.px(800) ? 20 : 2);
  };
  float y = draw_sm_sentence(picture, style, box, input, cramped);
  if (!cramped) y = controls(y);
  const float names = names_width(style, box.width), pad = style.px(14);
  const Box overview{box.x + names, y, box.width - names - pad, style.px(20)};
  picture.text({box.x + style.px(4), overview.centre().y},
               shortened(style, "warps on the SM", Font::words, style.small(), names - style.px(14)),
               Font::words, style.small(), solid(style.palette.text), AlignX::left, AlignY::middle);
  draw_sm_overview(picture, style, overview, view, layout);
  layout.overview = overview;
  y = overview.bottom() + style.px(8);
  std::vector<const SmView*> views;
  if (two) views.push_back(input.baseline);
  views.push_back(&view);
  float around = 0;
  size_t rows = 0;
  for (const SmView* each : views) {
    around += Part::height_around(style, *each, input, one_strip);
    rows += Part::rows_shown(*each, input.scheduler).size();
  }
  const float least = input.scheduler ? style.px(18) : 5.0f;
  const float room = (box.bottom() - y - around) / static_cast<float>(std::max<size_t>(1, rows));
  const float pitch = std::floor(std::clamp(room, least, std::max(least, style.px(most_pitch))));
  const float top = y;
  for (const SmView* each : views) {
    const std::string title =
        !two ? std::string()
             : fmt::format("{} · {} · {}", each == &view ? input.label : input.baseline_label,
                           threads_text(*each), sm_sample_text(*each));
    y = Part(picture, style, input, layout, *each, one_strip)
            .draw({box.x, y, box.width - pad, 0}, names, pitch, title);
  }
  layout.time = {overview.x, top, overview.width, y - top};
  layout.bottom = cramped ? controls(y + style.px(8)) : y;
  return layout;
}

std::optional<SmPointed> sm_span_at(const SmLayout& layout, Point at) {
  for (const SmPart& part : layout.parts)
    for (size_t r = 0; r < part.rows.size(); ++r) {
      const Box& box = part.rows[r];
      if (!Box{box.x, box.y - 2, box.width, box.height + 3}.contains(at)) continue;
      const SmRow& row = part.view->rows[part.first_row + r];
      const auto span = span_at(row, layout.range, box.width, at.x - box.x);
      if (!span) return std::nullopt;
      return SmPointed{&part, &row, *span};
    }
  return std::nullopt;
}

}  // namespace warplens
