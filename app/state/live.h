// Live mode of the Image view: the kernel runs anew whenever a number moves, and the full run, with its
// counts, follows when it rests.
#pragma once

#include <string>

namespace warplens {

// What the live picture says of itself; told by the view about twice a second.
struct LiveReport {
  bool shown = false;   // there is a live picture
  bool shared = false;  // it never leaves the GPU
  bool on_gpu = false;  // the kernel's time is a real GPU's
  std::string why_not;  // where it is not shared: one sentence
  std::string advice;
  double kernel_ms = 0;  // of the newest frame, measured
  double frames_per_second = 0;
  double bytes_a_frame = 0;  // copied between host and device, counted
  bool operator==(const LiveReport&) const = default;
};

struct LiveState {
  bool on = false;
  bool playing = false;     // the numbers move by themselves
  double changed_s = -1e9;  // on the window's clock: the last change of what is run
  LiveReport report;
};

// A change counts as rest after so long.
constexpr double live_settle_s = 0.4;

struct AppState;
// The live picture is in motion: full runs wait until it rests.
bool live_moves(const AppState& state);

}  // namespace warplens
