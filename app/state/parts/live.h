// Live mode of the Image view. The kernel runs again whenever a number changes. The full run with its counts
// follows when nothing changes any more.
#pragma once

#include <string>

namespace warplens {

// Facts about the live picture, which the view reports about twice a second.
struct LiveReport {
  bool shown = false;   // there is a live picture
  bool shared = false;  // the picture never leaves the GPU
  bool on_gpu = false;  // the kernel's time is a real GPU's
  std::string why_not;  // why it is not shared: one sentence
  std::string advice;
  double kernel_ms = 0;  // of the newest frame, measured
  double frames_per_second = 0;
  double bytes_a_frame = 0;  // copied between host and device, counted
  bool operator==(const LiveReport&) const = default;
};

struct LiveState {
  bool on = false;
  bool playing = false;     // the numbers change by themselves
  double changed_s = -1e9;  // window's clock: the last change of the setup
  LiveReport report;
};

// The time after the last change from which the picture counts as at rest.
constexpr double live_settle_s = 0.4;

struct AppState;
// Whether the live picture is changing. Full runs wait until it is at rest.
bool live_moves(const AppState& state);

}  // namespace warplens
