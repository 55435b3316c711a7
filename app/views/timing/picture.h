// Draws the Timing view, one picture for each of its questions.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/draw/plot.h"
#include "app/base/draw/style.h"
#include "app/base/draw/table.h"
#include "app/views/model/runs.h"
#include "app/views/timing/model.h"
#include "core/job/sweep.h"

namespace warplens {

enum class TimingMode : uint8_t { steps, timer, blocks, sizes, roofline, runs };
constexpr std::array<TimingMode, 6> all_timing_modes = {TimingMode::steps,    TimingMode::timer,
                                                        TimingMode::blocks,   TimingMode::sizes,
                                                        TimingMode::roofline, TimingMode::runs};
const char* to_string(TimingMode mode);  // "steps", "stopwatch", "block size", …

// One line of the history as it is drawn.
struct RunLine {
  uint64_t serial = 0;
  std::string words;
  std::optional<double> kernel_us;
};

struct TimingInput {
  TimingMode mode = TimingMode::steps;
  const TimingView* view = nullptr;  // of the shown run; null if there is none
  const Sweep* sweep = nullptr;      // of the mode; null if there are no points yet
  bool sweeping = false;             // more points will follow
  std::string sweep_error;
  const TimingView* baseline = nullptr;  // of the pinned run; null if there is none
  std::string baseline_label;            // "A"
  std::optional<Dim3> today;             // the shown run's block
  std::vector<PlotMark> marks;           // blocks, sizes: of a lesson's question
  std::vector<RunLine> runs;             // newest first, at most those that may be visible
  std::optional<RunComparison> comparison;
  bool interactive = true;
};

// The positions of the parts, for tests.
struct TimingLayout {
  std::vector<Box> bars;           // steps: for each StepBar with a time; runs: for each line with a time
  Box cpu_bar;                     // steps
  std::vector<Box> libraries;      // steps: for each library with a time
  std::vector<Box> parts;          // steps: for each part of the kernel's time
  std::vector<Box> columns;        // blocks: for each point; empty if it has no time
  std::vector<Point> occupancy;    // blocks: for each point that has one
  std::vector<Point> gpu, cpu;     // sizes: for each point that has a time
  std::optional<float> crossover;  // sizes: its x
  std::vector<float> marks;        // blocks, sizes: the x of each
  std::optional<Point> dot;        // roofline: for the bytes from and to DRAM
  Box plot;
  Box wrong_watch, right_watch;  // timer
  float bottom = 0;
};

TimingLayout draw_timing_view(Picture& picture, const Style& style, Box box, const TimingInput& input);

// The contents of the mode's picture as rows.
Table timing_table(const TimingInput& input);

// What a click in the view does.
enum class TimingVerb : uint8_t { mode, cancel, point, compare };
constexpr std::string_view name_of(TimingVerb verb) {
  constexpr std::string_view names[] = {"timing:", "cancel", "point:", "compare:"};
  return names[static_cast<size_t>(verb)];
}

}  // namespace warplens
