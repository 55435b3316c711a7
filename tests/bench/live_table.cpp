// How many live pictures a second the virtual GPU gives, as the window asks for them: one at a time, each
// with other numbers where the kernel has one that moves.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <semaphore>
#include <string>
#include <thread>
#include <vector>

#include "core/device/device.h"
#include "core/gpu/live/virtual_live.h"
#include "core/kernels/catalogue.h"
#include "core/kernels/make_request_again.h"
#include "tests/bench/tables.h"

namespace warplens::bench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr uint32_t width = 1920, height = 1080;
constexpr double seconds_a_kernel = 3;
constexpr size_t fewest_frames = 5;

struct LiveCase {
  const char* kernel;
  const char* moves;  // the number that is another one in each frame; empty: none is
  double step;
  std::map<std::string, double> values = {};
};
const std::array<LiveCase, 8> live_cases = {{
    {"grayscale", "", 0},
    {"invert", "", 0},
    {"ripple", "time", .05},
    {"mandelbrot",
     "center_x",
     1e-4,
     {{"max_iterations", 128}, {"width", width}, {"height", height}, {"scale", .002}}},
    {"sobel", "", 0},
    {"convolution_constant", "", 0},
    {"box_blur", "", 0},
    {"box_blur_tiled", "", 0},
}};

// Milliseconds from one picture to the next; empty: it failed, and why was said.
std::vector<double> frame_times(const LiveCase& c) {
  const Result<const KernelDescription*> found = find_kernel(c.kernel);
  if (!found) {
    fmt::print(stderr, "{}\n", found.error().message);
    return {};
  }
  const KernelDescription& kernel = **found;
  const Device& device = built_in_devices().front();
  KernelSetup setup = default_setup(kernel);
  for (const auto& [name, value] : c.values) setup.values[name] = value;
  setup.image = std::make_shared<Image>(rendered_sample(width, height));
  setup.grid = *fitted_grid(kernel, setup);
  std::counting_semaphore<> news(0);
  const auto live = make_virtual_live([&] { news.release(); });
  std::shared_ptr<const LaunchRequest> request;
  std::vector<double> times;
  double sum = 0;
  for (size_t slot = 0; sum < 1e3 * seconds_a_kernel || times.size() < fewest_frames;
       slot = (slot + 1) % live_slots) {
    const auto start = Clock::now();
    KernelSetup moved = setup;
    if (*c.moves != '\0') moved.values[c.moves] = setup.values[c.moves] + c.step;
    const Before before{request.get(), request != nullptr ? &setup : nullptr};
    Result<LaunchRequest> made =
        make_request_again(kernel, moved, device, request != nullptr ? &before : nullptr);
    const Result<bool> started =
        !made ? Result<bool>(made.error())
              : live->start(slot, request = std::make_shared<const LaunchRequest>(std::move(*made)));
    if (started) news.acquire();
    const Result<std::vector<LiveFrame>> frames =
        started ? live->finished() : Result<std::vector<LiveFrame>>(started.error());
    if (!frames || frames->empty()) {
      fmt::print(stderr, "{}: {}\n", c.kernel, frames ? "no picture came" : frames.error().message);
      return {};
    }
    setup = std::move(moved);
    times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    sum += times.back();
  }
  return times;
}

}  // namespace

void print_live() {
  fmt::print(
      "Live pictures of {} × {} on the virtual GPU, on {} cores, without the window that draws them: "
      "milliseconds "
      "from one to the next, and pictures a second by the median.\n\n"
      "| kernel | median ms | 95 % within | pictures/s |\n|---|---|---|---|\n",
      width, height, std::thread::hardware_concurrency());
  for (const LiveCase& c : live_cases) {
    std::vector<double> times = frame_times(c);
    if (times.empty()) continue;
    std::ranges::sort(times);
    const double median = times[times.size() / 2];
    fmt::print("| {} | {:.3g} | {:.3g} | {:.3g} |\n", c.kernel, median, times[times.size() * 95 / 100],
               1e3 / median);
  }
  fmt::print("\n");
}

}  // namespace warplens::bench
