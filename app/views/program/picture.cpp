// The whole view for a file: title, sums, time line, launches and warnings.
#include <fmt/format.h>

#include <algorithm>

#include "app/base/draw/parts.h"
#include "app/base/format.h"
#include "app/views/program/pages_picture.h"
#include "app/views/program/timeline_picture.h"
#include "core/recording/launch_source.h"

namespace warplens {

namespace {

using recording::Event;
using recording::ProgramWarning;
using recording::Recording;

// The window lists all of them.
constexpr size_t most_launches = 12;

// Words, and how each number was had: for the device, and here.
float draw_sums(Picture& picture, const Style& style, Box box, const Recording& recording,
                const recording::ProgramTotals& totals) {
  const float size = style.small();
  float x = box.x, y = box.y;
  const auto words = [&](const std::string& text) {
    const float width = style.width(text, Font::words, size);
    if (x > box.x && x + width > box.right()) {
      x = box.x;
      y += style.line();
    }
    picture.text({x, y}, shortened(style, text, Font::words, size, box.right() - x), Font::words, size,
                 solid(style.palette.quiet));
    x += width + style.px(8);
  };
  const auto tag = [&](Provenance source) {
    if (x + source_tag_width(style, source) > box.right()) {
      x = box.x;
      y += style.line();
    }
    x = draw_source_tag(picture, style, {x, y}, source) + style.px(8);
  };
  words(shortened(style, command_text(recording), Font::words, size, box.width / 2));
  words(fmt::format("· {} · {} on the GPU", totals_text(totals), microseconds_text(totals.device_us())));
  tag(recording.times());
  if (recording.wall_ms > 0) {
    words(fmt::format("· the program took {} here", microseconds_text(recording.wall_ms * 1000)));
    tag(Provenance::measured);
  }
  return y + style.line() + style.px(8);
}

struct Column {
  const char* title;
  float share;
};
constexpr Column columns[] = {{"#", 0.06f},    {"kernel", 0.26f}, {"from", 0.2f},
                              {"grid", 0.17f}, {"block", 0.15f},  {"kernel time", 0.16f}};

std::string from_text(const Event& launch) {
  if (launch.file.empty()) return "–";
  return text_of(recording::LaunchSource{launch.file, launch.line, launch.line});
}

float draw_launches(Picture& picture, const Style& style, Box box, const Recording& recording) {
  if (recording.launches.empty()) return box.y;
  float y = draw_heading(picture, style, {box.x, box.y}, "LAUNCHES");
  const auto row = [&](const std::vector<std::string>& cells, uint32_t colour) {
    float x = box.x;
    for (size_t i = 0; i < cells.size(); ++i) {
      const float width = box.width * columns[i].share;
      const Font font = i == 1 ? Font::strong : Font::words;
      picture.text({x, y}, shortened(style, cells[i], font, style.small(), width - style.px(10)), font,
                   style.small(), solid(colour));
      x += width;
    }
    y += style.line();
  };
  std::vector<std::string> titles;
  for (const Column& column : columns) titles.emplace_back(column.title);
  titles.back() += about(recording.times());
  row(titles, style.palette.quiet);
  const size_t shown = std::min(most_launches, recording.launches.size());
  for (size_t i = 0; i < shown; ++i) {
    const Event& launch = *recording.launches[i];
    row({with_separators(launch.number), launch.name, from_text(launch), extent_text(launch.grid),
         extent_text(launch.block), launch.device_us ? microseconds_text(*launch.device_us) : "not known"},
        style.palette.text);
  }
  if (shown < recording.launches.size()) {
    picture.text({box.x, y}, fmt::format("and {} more", with_separators(recording.launches.size() - shown)),
                 Font::words, style.small(), solid(style.palette.quiet));
    y += style.line();
  }
  return y + style.px(10);
}

float draw_warnings(Picture& picture, const Style& style, Box box, const recording::ProgramReport& report,
                    Provenance times) {
  if (report.warnings.empty()) return box.y;
  float y = draw_heading(picture, style, {box.x, box.y}, "WHAT WOULD HELP");
  const float indent = style.px(22);
  for (const ProgramWarning& warning : report.warnings) {
    picture.text({box.x, y}, "⚠", Font::words, style.body(), solid(style.palette.warning));
    y = draw_paragraph(picture, style, {box.x + indent, y}, warning.what, Font::strong, style.body(),
                       solid(style.palette.text), box.width - indent);
    std::string more = warning.advice;
    if (const std::string estimate = estimate_text(warning); !estimate.empty())
      more += fmt::format(" Copies and kernels: {}{}", estimate, about(times));
    if (!warning.where.empty()) more += fmt::format(" · {}", warning.where);
    y = draw_paragraph(picture, style, {box.x + indent, y}, more, Font::words, style.small(),
                       solid(style.palette.quiet), box.width - indent) +
        style.px(10);
  }
  return y;
}

}  // namespace

float draw_program(Picture& picture, const Style& style, Box box, const TimelineInput& input,
                   const recording::ProgramReport& report) {
  float y = draw_paragraph(picture, style, {box.x, box.y}, report.title, Font::strong, style.px(19),
                           solid(style.palette.text), box.width);
  y = draw_sums(picture, style, {box.x, y + style.px(2), box.width, 0}, *input.recording, report.totals);
  y = draw_timeline(picture, style, {box.x, y, box.width, 0}, input).bottom + style.px(8);
  if (input.timeline->left_out != 0) {
    picture.text({box.x, y},
                 fmt::format("{} more processes are not drawn: these are the ones with the most work.",
                             with_separators(input.timeline->left_out)),
                 Font::words, style.small(), solid(style.palette.quiet));
    y += style.line();
  }
  const PagesBefore before = pages_before(*input.recording, report.managed, 0);
  const PagesInput pages{input.recording, &report.managed, &before};
  y = draw_pages(picture, style, {box.x, y, box.width, 0}, pages);
  y = draw_launches(picture, style, {box.x, y, box.width, 0}, *input.recording);
  return draw_warnings(picture, style, {box.x, y, box.width, 0}, report, input.recording->times());
}

}  // namespace warplens
