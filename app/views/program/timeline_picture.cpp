#include "app/views/program/timeline_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/base/draw/parts.h"
#include "app/base/draw/plot.h"
#include "app/base/format.h"
#include "app/base/work_colours.h"
#include "core/recording/kernel_name.h"

namespace warplens {

namespace {

using Kind = TimelineRow::Kind;

uint32_t colour_of(Kind kind) {
  switch (kind) {
    case Kind::copies_in:
      return colour_of(WorkKind::copy_in);
    case Kind::kernels:
      return colour_of(WorkKind::kernel);
    case Kind::copies_on_device:
      return colour_of(WorkKind::copy_inside);
    case Kind::copies_out:
      return colour_of(WorkKind::copy_out);
    case Kind::pages:
      return colour_of(WorkKind::launch);
    case Kind::program:
    case Kind::interpreter:
      break;
  }
  return colour_of(WorkKind::host);
}

// Rows with one axis: those of the device, process by process, and after them this machine's.
struct Group {
  size_t first = 0, rows = 0;  // of the time line's
  float heading = 0;
  bool host = false;
};

// Where things are in the box; the picture and the mouse ask the same.
struct Layout {
  float names = 0;  // width of the column of names
  float device_bottom = 0, bottom = 0;
  std::vector<Box> bars;  // of each row of the time line
  std::vector<Group> groups;
  TimeRange range, host;
  TimeRange range_of(bool is_host) const { return is_host ? host : range; }
};

float names_width_of(const Style& style, Box box, const ProgramTimeline& timeline) {
  float widest = 0;
  for (const TimelineRow& row : timeline.rows)
    widest = std::max(widest, style.width(row.name, Font::words, style.small()));
  return std::min(widest + style.px(14), box.width * 0.3f);
}

// With room for the label of the last tick.
float bars_width_of(const Style& style, Box box, float names) {
  return std::max(1.0f, box.width - names - style.px(20));
}

class Placing {
 public:
  Placing(const Style& style, Box box, Layout& layout)
      : m_style(style), m_box(box), m_layout(layout), m_y(box.y) {}

  // Rows below a heading of this height, with room for the axis' labels; returns where the rows end.
  float add(size_t first, size_t rows, float heading, bool host) {
    m_layout.groups.push_back({first, rows, m_y, host});
    m_y += heading;
    for (size_t i = 0; i < rows; ++i) {
      m_layout.bars.push_back(
          {m_box.x + m_layout.names, m_y, bars_width_of(m_style, m_box, m_layout.names), m_style.px(24)});
      m_y += m_style.px(34);
    }
    const float bottom = m_y;
    m_y += m_style.px(30);
    return bottom;
  }
  void skip(float height) { m_y += height; }
  float y() const { return m_y; }

 private:
  const Style& m_style;
  Box m_box;
  Layout& m_layout;
  float m_y;
};

Layout layout_of(const Style& style, Box box, const TimelineInput& input) {
  const ProgramTimeline& timeline = *input.timeline;
  Layout layout;
  layout.names = names_width_of(style, box, timeline);
  Placing placing(style, box, layout);
  const bool several = timeline.processes.size() > 1;
  if (several) placing.skip(style.px(26));
  for (const TimelineProcess& process : timeline.processes)
    layout.device_bottom = placing.add(process.first_row, process.rows, style.px(26), false);
  const size_t placed = layout.bars.size();
  if (placed < timeline.rows.size()) placing.add(placed, timeline.rows.size() - placed, style.px(26), true);
  layout.bottom = placing.y();
  layout.range = clamped(input.range.value_or(TimeRange{0, timeline.device_us}), timeline.device_us);
  layout.host = host_range(timeline, *input.recording, layout.range);
  return layout;
}

// Labels of the axis tell neighbouring ticks apart, however far one has zoomed in.
Label tick_label(TimeRange range, const std::vector<double>& ticks) {
  struct Unit {
    double us;
    const char* name;
  };
  constexpr Unit units[] = {{1e6, "s"}, {1e3, "ms"}, {1, "µs"}, {1e-3, "ns"}};
  const Unit* unit =
      std::find_if(std::begin(units), std::end(units) - 1, [&](const Unit& u) { return range.to >= u.us; });
  const double step = ticks.size() > 1 ? (ticks[1] - ticks[0]) / unit->us : 1;
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 9);
  return [us = unit->us, name = unit->name, digits](double tick) {
    return tick == 0 ? std::string("0") : fmt::format("{:.{}f} {}", tick / us, digits, name);
  };
}

void draw_axis(Picture& picture, const Style& style, Box plot, TimeRange range) {
  if (range.length() <= 0) return;
  const Scale scale{range.from, range.to, plot.x, plot.right(), false};
  const auto ticks = ticks_of(scale, static_cast<int>(plot.width / (5.5f * style.small())));
  draw_x_axis(picture, style, plot, scale, tick_label(range, ticks));
}

void draw_label(Picture& picture, const Style& style, Box bar, uint32_t colour,
                const std::vector<std::string>& words) {
  for (const std::string& label : words) {
    if (style.width(label, Font::words, style.small()) + style.px(10) > bar.width) continue;
    picture.text(bar.centre(), label, Font::words, style.small(), solid(ink_on(colour)), AlignX::centre,
                 AlignY::middle);
    return;
  }
}

// What is narrower has no words, and is an area only where the mouse is.
constexpr float least_width = 6;

Click click_of(const TimelineRow& row, const TimeBar& bar) {
  const TimeSpan& span = row.spans[bar.first];
  // Work of the program between calls is no call.
  if (bar.count == 1 && row.kind != Kind::program) return {TimelineVerb::event, span.item};
  if (row.is_host()) return {};
  const double end = row.spans[bar.first + bar.count - 1].end;
  return {TimelineVerb::range, fmt::format("{} {}", span.begin, std::max(end, span.begin + 0.001))};
}

// From the longest to the shortest.
std::vector<std::string> words_of(const recording::Recording& recording, const TimelineRow& row,
                                  const TimeSpan& span) {
  std::vector<std::string> words{label_of(recording, row, span)};
  if (row.kind == Kind::copies_in || row.kind == Kind::copies_out || row.kind == Kind::copies_on_device)
    words.push_back(byte_size_text(recording.events[span.item].bytes));
  if (const std::string name = recording::short_kernel_name(words[0]); name != words[0])
    words.push_back(name);
  return words;
}

// Bars of a pixel that lie side by side are one rectangle: the number of the last.
size_t end_of_rectangle(const std::vector<TimeBar>& bars, size_t first) {
  size_t last = first;
  while (last + 1 < bars.size() && bars[last].width <= 1 && bars[last + 1].width <= 1 &&
         bars[last + 1].x - bars[last].x <= 1)
    ++last;
  return last;
}

void draw_row(Picture& picture, const Style& style, Box box, const TimelineInput& input,
              const TimelineRow& row, TimeRange range) {
  const bool hollow = row.kind == Kind::program;
  const uint32_t colour = colour_of(row.kind);
  const std::vector<TimeBar> bars = bars_of(row, range, box.width);
  for (size_t i = 0, next = 0; i < bars.size(); ++i) {
    const TimeBar& bar = bars[i];
    const TimeSpan& span = row.spans[bar.first];
    const float gap = bar.width > least_width ? 0.5f : 0;
    const Box drawn{box.x + bar.x + gap, box.y, std::max(1.0f, bar.width - 2 * gap), box.height};
    if (i == next) {
      next = end_of_rectangle(bars, i) + 1;
      const TimeBar& last = bars[next - 1];
      picture.rectangle({drawn.x, drawn.y, drawn.width + last.x - bar.x, drawn.height},
                        solid(colour, hollow ? 0.35f : 1.0f), gap > 0 ? style.px(3) : 0);
    }
    if (input.chosen && !hollow && bar.count == 1 && *input.chosen == span.item)
      picture.rectangle({drawn.x - 2, drawn.y - 3, drawn.width + 4, drawn.height + 6}, {}, style.px(4),
                        solid(style.palette.text), 2);
    if (bar.width > least_width || (input.pointer && drawn.contains(*input.pointer)))
      picture.area(drawn, click_of(row, bar), hint_of(*input.recording, row, bar));
    if (bar.width > least_width && bar.count == 1)
      draw_label(picture, style, drawn, hollow ? mix(style.palette.panel, colour, 0.35) : colour,
                 words_of(*input.recording, row, span));
  }
}

// Where a span is drawn, as far as it is in the range.
Box place_of(const ProgramTimeline& timeline, const Layout& layout, TimelineArrow::End end) {
  const Box row = layout.bars[end.row];
  const TimeSpan& span = timeline.rows[end.row].spans[end.span];
  const double per_us = double(row.width) / layout.range.length();
  const auto x_of = [&](double us) {
    return row.x +
           static_cast<float>(std::clamp((us - layout.range.from) * per_us, -1.0, double(row.width) + 1));
  };
  const float x = x_of(span.begin);
  return {x, row.y, std::max(1.0f, x_of(span.end) - x), row.height};
}

bool is_seen(const ProgramTimeline& timeline, TimeRange range, TimelineArrow::End end) {
  const TimeSpan& span = timeline.rows[end.row].spans[end.span];
  return span.end >= range.from && span.begin <= range.to;
}

// An arrow from the end of what is waited for to the begin of what waits.
void draw_wait(Picture& picture, const Style& style, const Box& from, const Box& to) {
  const Colour colour = solid(style.palette.text, 0.75f);
  const Point begin{from.right(), from.centre().y}, tip{to.x, to.centre().y};
  const float along = tip.x - begin.x, down = tip.y - begin.y;
  const float length = std::max(1.0f, std::hypot(along, down)), head = style.px(7);
  const Point unit{along / length, down / length};
  const Point base{tip.x - unit.x * head, tip.y - unit.y * head};
  const Point side{-unit.y * head * 0.5f, unit.x * head * 0.5f};
  picture.line(begin, base, colour, style.px(1.5f));
  picture.shapes.emplace_back(Path{
      {tip, {base.x + side.x, base.y + side.y}, {base.x - side.x, base.y - side.y}}, true, colour, {}, 0});
}

// Both ends in red, a line between them, and the words on it.
void draw_unordered(Picture& picture, const Style& style, const Box& row, const Box& from,
                    const std::optional<Box>& to, const std::string& sentence) {
  const Colour red = solid(style.palette.fault);
  for (const Box& box : {from, to.value_or(from)})
    picture.rectangle({box.x - 2, box.y - 2, box.width + 4, box.height + 4}, {}, style.px(3), red,
                      style.px(2));
  Point middle{from.right(), from.bottom()};
  if (to) {
    // Where both are at one time, straight down.
    const float both =
        std::clamp((std::max(from.x, to->x) + std::min(from.right(), to->right())) / 2, row.x, row.right());
    const Point begin{std::clamp(both, from.x, from.right()), from.centre().y};
    const Point end{std::clamp(both, to->x, to->right()), to->centre().y};
    picture.line(begin, end, red, style.px(2));
    middle = {(begin.x + end.x) / 2, (begin.y + end.y) / 2};
  }
  const std::string words = to ? "no wait between" : "used before it is done";
  const float width = style.width(words, Font::strong, style.small()) + style.px(12);
  const float x = std::clamp(middle.x - width / 2, row.x, std::max(row.x, row.right() - width));
  const Box label{x, middle.y - style.px(9), width, style.px(18)};
  picture.rectangle(label, red, style.px(4));
  picture.text(label.centre(), words, Font::strong, style.small(), solid(ink_on(style.palette.fault)),
               AlignX::centre, AlignY::middle);
  picture.area(label, Click(), sentence);
}

// More arrows than these are no picture any more: they come with zooming in.
constexpr size_t most_arrows = 80;

void draw_arrows(Picture& picture, const Style& style, const TimelineInput& input, const Layout& layout) {
  const ProgramTimeline& timeline = *input.timeline;
  std::vector<const TimelineArrow*> seen;
  for (const TimelineArrow& arrow : timeline.arrows) {
    if (is_seen(timeline, layout.range, arrow.from) ||
        (arrow.to && is_seen(timeline, layout.range, *arrow.to)))
      seen.push_back(&arrow);
    if (seen.size() > most_arrows) return;
  }
  for (const auto kind : {TimelineArrow::Kind::wait, TimelineArrow::Kind::unordered})
    for (const TimelineArrow* arrow : seen) {
      if (arrow->kind != kind) continue;
      const Box from = place_of(timeline, layout, arrow->from);
      const auto to = arrow->to ? std::optional(place_of(timeline, layout, *arrow->to)) : std::nullopt;
      if (kind == TimelineArrow::Kind::wait)
        draw_wait(picture, style, from, *to);
      else
        draw_unordered(picture, style, layout.bars.front(), from, to,
                       input.recording->events[arrow->finding].name);
    }
}

void draw_group(Picture& picture, const Style& style, Box box, const TimelineInput& input,
                const Layout& layout, const Group& group) {
  if (group.rows == 0) return;
  const TimeRange range = layout.range_of(group.host);
  const Box first = layout.bars[group.first], last = layout.bars[group.first + group.rows - 1];
  const float above = style.px(4), below = style.px(10);
  draw_axis(picture, style, {first.x, first.y - above, first.width, last.bottom() + below - first.y}, range);
  for (size_t i = group.first; i < group.first + group.rows; ++i) {
    const TimelineRow& row = input.timeline->rows[i];
    const Box bars = layout.bars[i];
    const std::string name =
        shortened(style, row.name, Font::words, style.small(), layout.names - style.px(8));
    picture.text({box.x, bars.centre().y}, name, Font::words, style.small(), solid(style.palette.quiet),
                 AlignX::left, AlignY::middle);
    picture.begin_clip({bars.x - 3, bars.y - 4, bars.width + 6, bars.height + 8});
    draw_row(picture, style, bars, input, row, range);
    picture.end_clip();
  }
}

// "process 7, began 1.3 s after the first".
void draw_process(Picture& picture, const Style& style, Point at, float width, const TimelineInput& input,
                  const TimelineProcess& process) {
  double first = process.host_begin_us;
  for (const TimelineProcess& other : input.timeline->processes) first = std::min(first, other.host_begin_us);
  const double behind = process.host_begin_us - first;
  const std::string words = fmt::format(
      "process {}{}", process.process,
      behind > 0 ? fmt::format(", began {} after the first", microseconds_text(behind)) : std::string());
  picture.text(at, shortened(style, words, Font::words, style.small(), width), Font::words, style.small(),
               solid(style.palette.text));
}

void draw_clock(Picture& picture, const Style& style, Point at, const char* heading, Provenance source,
                std::string hint) {
  draw_heading(picture, style, at, heading);
  const float x = at.x + style.width(heading, Font::strong, style.small()) + style.px(10);
  draw_source_tag(picture, style, {x, at.y}, source, std::move(hint));
}

// As rows to the scale of the whole time. Returns the y below it.
float draw_overlap(Picture& picture, const Style& style, Box box, const ProgramTimeline& timeline) {
  const recording::Overlap& overlap = *timeline.overlap;
  constexpr std::array rows = {Kind::copies_in, Kind::kernels, Kind::copies_out};
  constexpr std::array names = {"copies in", "kernels", "copies out"};
  const float names_width = names_width_of(style, box, timeline);
  draw_clock(
      picture, style, {box.x, box.y}, "WHAT COULD OVERLAP", Provenance::modelled,
      "As if each part needed nothing of the others, took as long as they, and were copied as fast as now.");
  float y = box.y + style.px(26);
  y = draw_paragraph(picture, style, {box.x, y}, recording::overlap_text(overlap), Font::words, style.body(),
                     solid(style.palette.text), box.width) +
      style.px(4);
  const float width = bars_width_of(style, box, names_width);
  const double end_us = std::max(timeline.device_us, overlap.now_us);
  for (size_t row = 0; row < rows.size(); ++row) {
    const Box bars{box.x + names_width, y, width, style.px(18)};
    picture.text({box.x, bars.centre().y}, names[row], Font::words, style.small(), solid(style.palette.quiet),
                 AlignX::left, AlignY::middle);
    for (const recording::OverlapPart& part : overlap.then) {
      if (static_cast<size_t>(part.engine) != row) continue;
      const auto x_of = [&](double us) { return bars.x + static_cast<float>(us / end_us) * bars.width; };
      const float x = x_of(part.begin_us), part_width = x_of(part.end_us) - x;
      const float gap = part_width > 6 ? 0.5f : 0;
      picture.rectangle({x + gap, bars.y, std::max(1.0f, part_width - 2 * gap), bars.height},
                        solid(colour_of(rows[row])), part_width > 6 ? style.px(3) : 0);
    }
    y += style.px(24);
  }
  return y + style.px(8);
}

}  // namespace

TimelineDrawn draw_timeline(Picture& picture, const Style& style, Box box, const TimelineInput& input) {
  if (input.timeline == nullptr || input.recording == nullptr) return {box.y, box, {}};
  const ProgramTimeline& timeline = *input.timeline;
  const Layout layout = layout_of(style, box, input);
  const bool several = timeline.processes.size() > 1;
  const bool is_real = input.recording->times() == Provenance::measured;
  const char* begins = timeline.one_clock && several ? "it begins with the first call of all."
                                                     : "it begins with the process's first call.";
  draw_clock(picture, style, {box.x, box.y},
             timeline.one_clock ? "ON THE GPU" : "ON THE GPU · EACH PROCESS FROM ITS OWN FIRST CALL",
             input.recording->times(),
             fmt::format("The device's clock, {}: {}",
                         is_real ? "by events on its streams" : "by the time model", begins));
  for (size_t i = 0; i < layout.groups.size(); ++i) {
    const Group& group = layout.groups[i];
    if (group.host)
      draw_clock(picture, style, {box.x, group.heading}, "ON THIS MACHINE", Provenance::measured,
                 is_real ? "This machine's clock: the program's own work, and its calls of the driver."
                         : "This machine's clock. The virtual GPU computes on the CPU, so these times do not "
                           "predict a GPU's.");
    else if (several)
      draw_process(picture, style, {box.x, group.heading}, box.width, input, timeline.processes[i]);
    draw_group(picture, style, box, input, layout, group);
  }
  if (!layout.bars.empty()) draw_arrows(picture, style, input, layout);
  float bottom = layout.bottom;
  if (input.shows_overlap && timeline.overlap && layout.range.length() >= timeline.device_us)
    bottom = draw_overlap(picture, style, {box.x, bottom, box.width, 0}, timeline);
  if (layout.bars.empty()) return {bottom, box, layout.range};
  const Box first = layout.bars.front();
  return {bottom, {first.x, first.y, first.width, layout.device_bottom - first.y}, layout.range};
}

}  // namespace warplens
