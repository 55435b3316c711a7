#include "app/views/program/timeline_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/base/format.h"
#include "app/draw/parts.h"
#include "app/draw/plot.h"

namespace warplens {

namespace {

using Kind = TimelineRow::Kind;

uint32_t colour_of(Kind kind) {
  switch (kind) {
    case Kind::copies_in:
      return group_colours[0];
    case Kind::kernels:
      return group_colours[2];
    case Kind::copies_on_device:
      return group_colours[5];
    case Kind::copies_out:
      return group_colours[3];
    case Kind::program:
    case Kind::interpreter:
      return group_colours[7];
  }
  return group_colours[7];
}

// Where things are in the box; the picture and the mouse ask the same.
struct Layout {
  float names = 0, end = 0;  // width of the column of names, and of the room for the last tick's label
  float row = 0, step = 0, device_top = 0, device_bottom = 0, host_top = 0, bottom = 0;
  size_t device_rows = 0, host_rows = 0;
  TimeRange range, host;
  Box bars(Box box, float top, size_t index) const {
    return {box.x + names, top + step * static_cast<float>(index), std::max(1.0f, box.width - names - end),
            row};
  }
};

Layout layout_of(const Style& style, Box box, const TimelineInput& input) {
  Layout layout;
  float widest = 0;
  for (const TimelineRow& row : input.timeline->rows) {
    widest = std::max(widest, style.width(row.name, Font::words, style.small()));
    ++(row.is_host() ? layout.host_rows : layout.device_rows);
  }
  layout.names = std::min(widest + style.px(14), box.width * 0.3f);
  layout.end = style.px(20);
  layout.row = style.px(24);
  layout.step = style.px(34);
  layout.device_top = box.y + style.px(26);
  layout.device_bottom = layout.device_top + layout.step * static_cast<float>(layout.device_rows);
  layout.host_top = layout.device_bottom + style.px(26 + 30);
  layout.bottom = layout.host_rows == 0
                      ? layout.device_bottom + style.px(30)
                      : layout.host_top + layout.step * static_cast<float>(layout.host_rows) + style.px(30);
  layout.range =
      clamped(input.range.value_or(TimeRange{0, input.timeline->device_us}), input.timeline->device_us);
  layout.host = host_range(*input.timeline, *input.recording, layout.range);
  return layout;
}

// Labels of the axis tell neighbouring ticks apart, however far one has zoomed in.
Label tick_label(TimeRange range, const std::vector<double>& ticks) {
  struct Unit {
    double us;
    const char* name;
  };
  constexpr Unit units[] = {{1e6, "s"}, {1e3, "ms"}, {1, "µs"}, {1e-3, "ns"}};
  const Unit* unit = std::find_if(std::begin(units), std::end(units) - 1,
                                  [&](const Unit& u) { return range.to_us >= u.us; });
  const double step = ticks.size() > 1 ? (ticks[1] - ticks[0]) / unit->us : 1;
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 9);
  return [us = unit->us, name = unit->name, digits](double tick) {
    return tick == 0 ? std::string("0") : fmt::format("{:.{}f} {}", tick / us, digits, name);
  };
}

void draw_axis(Picture& picture, const Style& style, Box plot, TimeRange range) {
  if (range.length() <= 0) return;
  const Scale scale{range.from_us, range.to_us, plot.x, plot.right(), false};
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

void draw_row(Picture& picture, const Style& style, Box box, const TimelineInput& input,
              const TimelineRow& row, TimeRange range) {
  const uint32_t colour = colour_of(row.kind);
  const auto& events = input.recording->events;
  for (const TimelineBar& bar : bars_of(row, range, box.width)) {
    const TimelineSpan& span = row.spans[bar.first];
    const float gap = bar.width > 6 ? 0.5f : 0;
    const Box drawn{box.x + bar.x + gap, box.y, std::max(1.0f, bar.width - 2 * gap), box.height};
    const bool chosen =
        input.chosen && row.kind != Kind::program && bar.count == 1 && *input.chosen == span.event;
    // Work of the program between calls is hollow: it is no call.
    const bool hollow = row.kind == Kind::program;
    picture.rectangle(drawn, solid(colour, hollow ? 0.35f : 1.0f), drawn.width > 6 ? style.px(3) : 0);
    if (chosen)
      picture.rectangle({drawn.x - 2, drawn.y - 3, drawn.width + 4, drawn.height + 6}, {}, style.px(4),
                        solid(style.palette.text), 2);
    const bool is_event = bar.count == 1 && !hollow;
    const double end = row.spans[bar.first + bar.count - 1].end_us;
    picture.area(drawn,
                 is_event ? fmt::format("event {}", span.event)
                 : row.is_host()
                     ? std::string()
                     : fmt::format("range {} {}", span.begin_us, std::max(end, span.begin_us + 0.001)),
                 hint_of(*input.recording, row, bar));
    if (bar.count != 1) continue;
    std::vector<std::string> words{label_of(*input.recording, row, span)};
    if (row.kind == Kind::copies_in || row.kind == Kind::copies_out || row.kind == Kind::copies_on_device)
      words.push_back(byte_size_text(events[span.event].bytes));
    // Numba's names have the module in front.
    if (const size_t colons = words[0].rfind("::"); colons != std::string::npos)
      words.push_back(words[0].substr(colons + 2));
    draw_label(picture, style, drawn, hollow ? mix(style.palette.panel, colour, 0.35) : colour, words);
  }
}

void draw_rows(Picture& picture, const Style& style, Box box, const TimelineInput& input,
               const Layout& layout, bool host) {
  const float top = host ? layout.host_top : layout.device_top;
  const size_t count = host ? layout.host_rows : layout.device_rows;
  if (count == 0) return;
  const TimeRange range = host ? layout.host : layout.range;
  const Box first = layout.bars(box, top, 0);
  draw_axis(picture, style,
            {first.x, top - style.px(4), first.width, layout.step * static_cast<float>(count)}, range);
  size_t index = 0;
  for (const TimelineRow& row : input.timeline->rows) {
    if (row.is_host() != host) continue;
    const Box bars = layout.bars(box, top, index++);
    const std::string name =
        shortened(style, row.name, Font::words, style.small(), layout.names - style.px(8));
    picture.text({box.x, bars.centre().y}, name, Font::words, style.small(), solid(style.palette.quiet),
                 AlignX::left, AlignY::middle);
    picture.begin_clip({bars.x - 3, bars.y - 4, bars.width + 6, bars.height + 8});
    draw_row(picture, style, bars, input, row, range);
    picture.end_clip();
  }
}

void draw_clock(Picture& picture, const Style& style, Point at, const char* heading, Source source,
                const char* hint) {
  draw_heading(picture, style, at, heading);
  const float x = at.x + style.width(heading, Font::strong, style.px(12)) + style.px(10);
  draw_source_tag(picture, style, {x, at.y}, source, hint);
}

}  // namespace

TimelineDrawn draw_timeline(Picture& picture, const Style& style, Box box, const TimelineInput& input) {
  if (input.timeline == nullptr || input.recording == nullptr) return {box.y, box, {}};
  const Layout layout = layout_of(style, box, input);
  const bool several = input.timeline->processes.size() > 1;
  const bool is_real = input.recording->times() == Source::measured;
  draw_clock(
      picture, style, {box.x, box.y},
      several ? "ON THE GPU · EACH PROCESS FROM ITS OWN FIRST CALL" : "ON THE GPU", input.recording->times(),
      is_real ? "The device's clock, by events on its streams: it begins with the process's first call."
              : "The device's clock, by the time model: it begins with the process's first call.");
  draw_rows(picture, style, box, input, layout, false);
  if (layout.host_rows != 0) {
    draw_clock(picture, style, {box.x, layout.host_top - style.px(26)}, "ON THIS MACHINE", Source::measured,
               is_real ? "This machine's clock: the program's own work, and its calls of the driver."
                       : "This machine's clock. The virtual GPU computes here, so these times say nothing of "
                         "the GPU's.");
    draw_rows(picture, style, box, input, layout, true);
  }
  const Box first = layout.bars(box, layout.device_top, 0);
  return {
      layout.bottom, {first.x, first.y, first.width, layout.device_bottom - layout.device_top}, layout.range};
}

std::optional<size_t> event_at(const Style& style, Box box, const TimelineInput& input, Point at) {
  if (input.timeline == nullptr || input.recording == nullptr) return std::nullopt;
  const Layout layout = layout_of(style, box, input);
  size_t device = 0, host = 0;
  for (const TimelineRow& row : input.timeline->rows) {
    const Box bars = row.is_host() ? layout.bars(box, layout.host_top, host++)
                                   : layout.bars(box, layout.device_top, device++);
    if (at.y < bars.y || at.y >= bars.bottom() || row.kind == Kind::program) continue;
    const auto span =
        span_at(row, row.is_host() ? layout.host : layout.range, bars.width, at.x - bars.x, style.px(2));
    if (span) return row.spans[*span].event;
  }
  return std::nullopt;
}

}  // namespace warplens
