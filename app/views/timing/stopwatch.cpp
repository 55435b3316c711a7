// A stopwatch that stops before the kernel has finished, compared with a correct one.
#include <fmt/format.h>

#include <algorithm>

#include "app/base/format.h"
#include "app/views/timing/time_pictures.h"

namespace warplens {
namespace {

struct Lanes {
  float x = 0, width = 0;
  double total_us = 1;
  float at(double us) const { return x + width * static_cast<float>(us / total_us); }
};

void draw_lane(Picture& picture, const Style& style, const Lanes& lanes, float y, float height,
               const char* name, float name_x) {
  picture.text({name_x, y + height / 2}, name, Font::strong, style.body(), solid(style.palette.text),
               AlignX::left, AlignY::middle);
  picture.rectangle({lanes.x, y, lanes.width, height}, solid(style.palette.raised), style.px(3));
}

Box draw_block(Picture& picture, const Style& style, const Lanes& lanes, float y, float height, double from,
               double to, Colour colour, const char* words) {
  const Box box{lanes.at(from), y, std::max(2.0f, lanes.at(to) - lanes.at(from)), height};
  picture.rectangle(box, colour, style.px(3));
  if (style.width(words, Font::words, style.small()) + style.px(8) < box.width)
    picture.text(box.centre(), words, Font::words, style.small(),
                 solid(colour.alpha < 1 ? style.palette.text : ink_on(colour.rgb)), AlignX::centre,
                 AlignY::middle);
  picture.area(box, {}, words);
  return box;
}

// ├──────┤ 5 µs
Box draw_watch(Picture& picture, const Style& style, const Lanes& lanes, float y, double to, uint32_t colour,
               const std::string& value, const char* name, float right) {
  const float end = std::max(lanes.at(to), lanes.x + 2), middle = y + style.px(14);
  const Box box{lanes.x, y, end - lanes.x, style.px(28)};
  picture.line({lanes.x, middle}, {end, middle}, solid(colour), 3);
  for (const float x : {lanes.x, end})
    picture.line({x, y + style.px(5)}, {x, y + style.px(23)}, solid(colour), 3);
  const std::string words = fmt::format("{}  {}", value, name);
  const float width = style.width(words, Font::strong, style.body());
  const bool beside = end + style.px(10) + width <= right;
  picture.text({beside ? end + style.px(10) : lanes.x, beside ? middle : y + style.px(26)},
               shortened(style, words, Font::strong, style.body(), right - lanes.x), Font::strong,
               style.body(), solid(colour), AlignX::left, beside ? AlignY::middle : AlignY::top);
  return box;
}

float draw_code(Picture& picture, const Style& style, Box box, const char* title, uint32_t colour,
                const std::vector<std::pair<const char*, bool>>& lines) {
  const float line = style.px(20), padding = style.px(12);
  const Box frame{box.x, box.y, box.width, style.px(28) + line * static_cast<float>(lines.size()) + padding};
  picture.rectangle(frame, solid(style.palette.raised), style.px(6));
  picture.rectangle({frame.x, frame.y, style.px(4), frame.height}, solid(colour), style.px(2));
  const float x = frame.x + padding + style.px(4), width = frame.width - 2 * padding;
  picture.text({x, frame.y + style.px(8)}, shortened(style, title, Font::strong, style.small(), width),
               Font::strong, style.small(), solid(colour));
  float y = frame.y + style.px(30);
  for (const auto& [words, marked] : lines) {
    picture.text({x, y}, shortened(style, words, Font::mono, style.small(), width), Font::mono, style.small(),
                 solid(marked ? colour : style.palette.text));
    y += line;
  }
  return frame.bottom();
}

float draw_listings(Picture& picture, const Style& style, Box box) {
  const Palette& p = style.palette;
  const std::vector<std::pair<const char*, bool>> wrong = {
      {"start = now();", false}, {"kernel<<<grid, block>>>(…);", false}, {"stop = now();", true}};
  const std::vector<std::pair<const char*, bool>> right = {{"start = now();", false},
                                                           {"kernel<<<grid, block>>>(…);", false},
                                                           {"cudaDeviceSynchronize();", true},
                                                           {"stop = now();", false}};
  const float gap = style.px(16);
  const bool side_by_side = box.width > style.px(560);
  const float width = side_by_side ? (box.width - gap) / 2 : box.width;
  const float first =
      draw_code(picture, style, {box.x, box.y, width, 0}, "times the launch only", p.warning, wrong);
  const Box second =
      side_by_side ? Box{box.x + width + gap, box.y, width, 0} : Box{box.x, first + gap, width, 0};
  return std::max(first, draw_code(picture, style, second, "times the kernel", p.counted, right));
}

}  // namespace

float draw_stopwatch(Picture& picture, const Style& style, Box box, const TimingInput& input,
                     TimingLayout& layout) {
  const TimingView& view = *input.view;
  if (!view.kernel_us) return draw_sentence(picture, style, box, box.y, view.sentence);
  const Palette& p = style.palette;
  const double launch = view.launch_us, kernel = view.kernel_us->value, total = launch + kernel;
  float y = draw_sentence(picture, style, box, box.y, view.timer_sentence) + style.px(6);
  const float names = style.width("GPU", Font::strong, style.body()) + style.px(16), height = style.px(40);
  const Lanes lanes{box.x + names, box.width - names, total * 1.02};
  draw_lane(picture, style, lanes, y, height, "CPU", box.x);
  draw_block(picture, style, lanes, y, height, 0, launch, solid(colour_of(p, StepKind::launch)), "launch");
  draw_block(picture, style, lanes, y, height, launch, total, solid(p.quiet, 0.25f), "goes on, or waits");
  y += height + style.px(8);
  draw_lane(picture, style, lanes, y, height, "GPU", box.x);
  draw_block(picture, style, lanes, y, height, launch, total, solid(colour_of(p, StepKind::kernel)),
             "kernel");
  y += height + style.px(16);
  layout.wrong_watch = draw_watch(picture, style, lanes, y, launch, p.warning, microseconds_text(launch),
                                  "wrong: stopped when the launch returned", box.right());
  y += style.px(52);
  layout.right_watch = draw_watch(picture, style, lanes, y, total, p.counted, microseconds_text(total),
                                  "right: stopped when the kernel had finished", box.right());
  y += style.px(56);
  draw_source_tag(picture, style, {box.x, y}, view.source,
                  view.source == Provenance::measured
                      ? "The host's call and the kernel, timed on this GPU."
                      : "Both are the model's times; on a real GPU the stopwatches behave the same.");
  return draw_listings(picture, style, {box.x, y + style.px(30), box.width, 0}) + style.px(8);
}

}  // namespace warplens
