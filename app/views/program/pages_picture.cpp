#include "app/views/program/pages_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/base/draw/parts.h"
#include "app/base/format.h"
#include "app/base/work_colours.h"
#include "app/views/program/timeline_picture.h"
#include "core/pages/pages.h"
#include "core/recording/kernel_name.h"

namespace warplens {

namespace {

using pages::Side;
using recording::Event;
using recording::ManagedArray;
using recording::Recording;

// More arrays than these are listed in the summary only.
constexpr size_t most_arrays = 6;
constexpr float column_width = 132, strip_height = 84;
// Rows of a strip; of a larger array each stands for several units.
constexpr size_t most_rows = 42;

constexpr uint8_t on_host = pages::bit(Side::host), on_device = pages::bit(Side::device);
constexpr uint32_t device_colour = colour_of(WorkKind::kernel), host_colour = colour_of(WorkKind::host);

// What the device did when it needed the pages: the newest work before this event.
const Event* work_before(const Recording& recording, size_t event) {
  const uint64_t process = recording.events[event].process;
  for (size_t i = event; i-- > 0;)
    if (recording.events[i].process == process && is_device_work(recording.events[i]))
      return &recording.events[i];
  return nullptr;
}

std::string cause_of(const Recording& recording, size_t index) {
  const Event& event = recording.events[index];
  if (event.name != "kernel") return event.name;
  const Event* work = work_before(recording, index);
  return work == nullptr ? event.name : recording::short_kernel_name(work->name);
}

std::string moved_text(const Event& event) {
  const bool to_host = event.pages->to == Side::host;
  if (event.pages->mapped_bytes != 0)
    return fmt::format("over the bus {}", byte_size_text(event.pages->mapped_bytes));
  if (event.bytes == 0) return to_host ? "first on the host" : "first on the GPU";
  return fmt::format("{} {}", to_host ? "to the host" : "to the GPU", byte_size_text(event.bytes));
}

std::string hint_of(const Recording& recording, size_t index) {
  const Event& event = recording.events[index];
  std::string hint = fmt::format("{}: {}", cause_of(recording, index), moved_text(event));
  if (event.pages->misses != 0) hint += fmt::format(", {} misses", thousands(event.pages->misses));
  if (event.device_us && *event.device_us > 0)
    hint += fmt::format(", {} ≈", microseconds_text(*event.device_us));
  if (event.place != nullptr)
    hint += (event.name == "host" ? ", before " : ", ") + recording::place_text(*event.place);
  if (event.pages->is_cut) hint += ". Not each page was recorded.";
  return hint;
}

void take(std::vector<uint8_t>& places, const Event& event) {
  for (const pages::PageRun& run : event.pages->changed) {
    const size_t begin = std::min<size_t>(run.first, places.size());
    const size_t end = std::min<size_t>(begin + run.count, places.size());
    std::fill(places.begin() + static_cast<ptrdiff_t>(begin), places.begin() + static_cast<ptrdiff_t>(end),
              run.places);
  }
}

// Where the units are, from the first at the top to the last; equal neighbours are one rectangle.
void draw_strip(Picture& picture, const Style& style, Box box, const std::vector<uint8_t>& places) {
  picture.rectangle(box, {}, 0, solid(style.palette.quiet, 0.6f));
  const size_t rows = std::min(places.size(), most_rows);
  // The side that most units of a row are on.
  const auto of_row = [&](size_t row) {
    std::array<size_t, 4> counts{};
    const size_t begin = row * places.size() / rows, end = (row + 1) * places.size() / rows;
    for (size_t unit = begin; unit < end; ++unit) ++counts[places[unit] & (on_host | on_device)];
    return static_cast<uint8_t>(std::ranges::max_element(counts) - counts.begin());
  };
  for (size_t row = 0; row < rows;) {
    const uint8_t place = of_row(row);
    size_t end = row + 1;
    while (end < rows && of_row(end) == place) ++end;
    const float y = box.y + box.height * static_cast<float>(row) / static_cast<float>(rows);
    const float height = box.height * static_cast<float>(end - row) / static_cast<float>(rows);
    const float half = place == (on_host | on_device) ? box.width / 2 : box.width;
    if ((place & on_device) != 0) picture.rectangle({box.x, y, half, height}, solid(device_colour));
    if ((place & on_host) != 0) picture.rectangle({box.right() - half, y, half, height}, solid(host_colour));
    row = end;
  }
}

void draw_step(Picture& picture, const Style& style, Box box, const Recording& recording, size_t index,
               const std::vector<uint8_t>& places) {
  const Event& event = recording.events[index];
  const float width = box.width - style.px(8);
  float y = box.y;
  const auto words = [&](const std::string& text, Font font, uint32_t colour) {
    picture.text({box.x, y}, shortened(style, text, font, style.small(), width), font, style.small(),
                 solid(colour));
    y += style.px(17);
  };
  words(cause_of(recording, index), Font::strong, style.palette.text);
  words(moved_text(event), Font::words, event.bytes != 0 ? style.palette.text : style.palette.quiet);
  const bool waits = event.name != "prefetch" && event.device_us && *event.device_us > 0;
  words(waits ? fmt::format("waits {} ≈", microseconds_text(*event.device_us)) : std::string(), Font::words,
        waits ? style.palette.warning : style.palette.quiet);
  const Box strip{box.x, y + style.px(2), width, style.px(strip_height)};
  draw_strip(picture, style, strip, places);
  picture.area({box.x, box.y, width, strip.bottom() - box.y}, {TimelineVerb::event, index},
               hint_of(recording, index));
}

float draw_array(Picture& picture, const Style& style, Box box, const PagesInput& input, size_t number) {
  const ManagedArray& array = (*input.arrays)[number];
  const size_t all = array.events.size(), first = std::min(input.before->step, all);
  const size_t last = std::min(all, first + page_steps_in(style, box.width));
  const std::string shown =
      last - first == all
          ? std::string()
          : fmt::format(" · steps {} to {} of {}", std::min(first + 1, last), last, thousands(all));
  picture.text({box.x, box.y}, shortened(style, name_of(array) + shown, Font::words, style.body(), box.width),
               Font::words, style.body(), solid(style.palette.text));
  std::vector<uint8_t> places = input.before->places[number];
  const float y = box.y + style.px(24), width = style.px(column_width),
              height = style.px(3 * 17 + strip_height + 2);
  for (size_t step = first; step < last; ++step) {
    take(places, input.recording->events[array.events[step]]);
    draw_step(picture, style, {box.x + width * static_cast<float>(step - first), y, width, height},
              *input.recording, array.events[step], places);
  }
  return y + height + style.px(14);
}

}  // namespace

size_t page_steps_in(const Style& style, float width) {
  return std::max<size_t>(1, static_cast<size_t>(width / style.px(column_width)));
}

PagesBefore pages_before(const Recording& recording, const std::vector<ManagedArray>& arrays, size_t step) {
  PagesBefore before{step, {}};
  for (const ManagedArray& array : arrays) {
    std::vector<uint8_t>& places =
        before.places.emplace_back((array.bytes + pages::unit_bytes - 1) / pages::unit_bytes);
    for (size_t i = 0; i < std::min(step, array.events.size()); ++i)
      take(places, recording.events[array.events[i]]);
  }
  return before;
}

float draw_pages(Picture& picture, const Style& style, Box box, const PagesInput& input) {
  if (input.arrays->empty()) return box.y;
  constexpr const char* heading = "PAGES OF MANAGED MEMORY";
  draw_heading(picture, style, {box.x, box.y}, heading);
  draw_source_tag(
      picture, style, {box.x + style.width(heading, Font::strong, style.small()) + style.px(10), box.y},
      Provenance::modelled,
      "Which pages were used is counted; which ones move with them, and how long it takes, is as measured "
      "on an H200.");
  float y = box.y + style.px(26);
  float x =
      draw_key(picture, style, {box.x, y}, Swatch::filled, solid(device_colour), "on the GPU") + style.px(16);
  x = draw_key(picture, style, {x, y}, Swatch::filled, solid(host_colour), "on the host") + style.px(16);
  draw_key(picture, style, {x, y}, Swatch::hollow, solid(style.palette.quiet), "nowhere yet");
  y += style.px(28);
  const size_t shown = std::min(input.arrays->size(), most_arrays);
  for (size_t i = 0; i < shown; ++i) y = draw_array(picture, style, {box.x, y, box.width, 0}, input, i);
  if (shown < input.arrays->size()) {
    picture.text({box.x, y}, fmt::format("and {} more arrays", input.arrays->size() - shown), Font::words,
                 style.small(), solid(style.palette.quiet));
    y += style.line();
  }
  return y;
}

}  // namespace warplens
