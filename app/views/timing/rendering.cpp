// The pictures of the Timing view in a file.
#include "app/views/model/rendering.h"

#include "app/views/timing/picture.h"

namespace warplens {
namespace {

struct TimingOfRun {
  TimingView view;
  TimingInput input;
};

template <TimingMode mode>
Rendered make_timing(const RenderChoice&, const RenderSource& source) {
  const auto timing = std::make_shared<TimingOfRun>();
  timing->input.mode = mode;
  timing->input.interactive = false;
  if (source.result != nullptr) {
    timing->view = view_timing(*source.result);
    timing->input.view = &timing->view;
  }
  timing->input.sweep = source.sweep;
  timing->input.today = source.today;
  return {[timing](Picture& picture, const Style& style, Box box) {
            return draw_timing_view(picture, style, box, timing->input).bottom;
          },
          [timing] { return timing_table(timing->input); }};
}

}  // namespace

std::span<const Rendering> timing_renderings() {
  using enum RenderNeeds;
  static constexpr Rendering rows[] = {
      {.name = "timing", .needs = timed_run, .has_table = true, .make = make_timing<TimingMode::steps>},
      {.name = "stopwatch", .needs = timed_run, .has_table = true, .make = make_timing<TimingMode::timer>},
      {.name = "roofline", .needs = timed_run, .has_table = true, .make = make_timing<TimingMode::roofline>},
      {.name = "sweep", .needs = block_sweep, .has_table = true, .make = make_timing<TimingMode::blocks>},
      {.name = "sizes", .needs = size_sweep, .has_table = true, .make = make_timing<TimingMode::sizes>}};
  return rows;
}

}  // namespace warplens
