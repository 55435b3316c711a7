// What both sweeps have: their axis of times, and how far they are.
#include <fmt/format.h>

#include <algorithm>

#include "app/base/format.h"
#include "app/views/timing/time_pictures.h"

namespace warplens {

std::string sweep_axis_us(double us) { return us == 0 ? "0" : microseconds_text(us); }

float draw_sweep_progress(Picture& picture, const Style& style, Box box, float y, const TimingInput& input) {
  if (!input.sweeping) return y;
  const double share =
      input.sweep->wanted == 0 ? 0 : double(input.sweep->points.size()) / double(input.sweep->wanted);
  const std::string words = fmt::format("{} of {} tried", input.sweep->points.size(), input.sweep->wanted);
  picture.text({box.x, y + chip_height(style) / 2}, words, Font::words, style.small(),
               solid(style.palette.quiet), AlignX::left, AlignY::middle);
  const float x = box.x + style.width(words, Font::words, style.small()) + style.px(12);
  const float end = box.right() - chip_width(style, "Cancel") - style.px(12);
  const Box track{x, y + chip_height(style) / 2 - style.px(3), std::max(0.0f, end - x), style.px(6)};
  picture.rectangle(track, solid(style.palette.raised), style.px(3));
  picture.rectangle({track.x, track.y, track.width * static_cast<float>(share), track.height},
                    solid(style.palette.accent), style.px(3));
  if (input.interactive)
    draw_chip(picture, style, {box.right() - chip_width(style, "Cancel"), y}, "Cancel", false,
              TimingVerb::cancel);
  return y + chip_height(style) + style.px(8);
}

}  // namespace warplens
