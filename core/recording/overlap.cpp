#include "core/recording/overlap.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include "core/base/figures.h"

namespace warplens::recording {

namespace {

constexpr uint64_t parts_of_one_round = 4, most_parts = 64;
constexpr double least_share = 0.1, least_us = 50, serial_share = 0.98;

struct Sums {
  std::array<double, engine_count> us{};
  double first_us = 0, last_us = 0;
  uint64_t rounds = 0;  // kernels, and then a copy in again
  double all() const { return us[0] + us[1] + us[2]; }
};

// Empty if there is more than one process, no time of something, or if the same bytes cross twice: then a
// round needs what one before it made, or not to copy them wins more.
std::optional<Sums> sums_of(const Recording& recording) {
  Sums sums;
  std::optional<uint64_t> process;
  bool has_computed = true;  // since the last copy in
  std::unordered_set<uint64_t> crossed;
  for (const Event& event : recording.events) {
    if (!is_device_work(event)) continue;
    if (!event.begin_us || !event.device_us || process.value_or(event.process) != event.process)
      return std::nullopt;
    if (!process) sums.first_us = *event.begin_us;
    process = event.process;
    sums.last_us = std::max(sums.last_us, *event.begin_us + *event.device_us);
    const auto engine = engine_of(event);
    if (!engine) continue;
    if (event.content != 0 && !crossed.insert(event.content).second) return std::nullopt;
    sums.us[static_cast<size_t>(*engine)] += std::max(0.0, *event.device_us);
    if (*engine == Engine::in) sums.rounds += std::exchange(has_computed, false) ? 1 : 0;
    if (*engine == Engine::kernels) has_computed = true;
  }
  return process ? std::optional(sums) : std::nullopt;
}

}  // namespace

std::optional<Overlap> overlap_of(const Recording& recording) {
  if (!recording.sums.empty() || recording.devices.size() > 1) return std::nullopt;
  const auto sums = sums_of(recording);
  if (!sums) return std::nullopt;
  Overlap made;
  made.now_us = sums->last_us - sums->first_us;
  if (sums->us[static_cast<size_t>(Engine::kernels)] <= 0 || sums->all() < serial_share * made.now_us)
    return std::nullopt;
  made.has_rounds = sums->rounds > 1;
  made.parts = made.has_rounds ? std::min(sums->rounds, most_parts) : parts_of_one_round;
  // Each engine does one part after the other, each part one engine after the other.
  std::array<double, engine_count> free{};
  for (uint64_t part = 0; part < made.parts; ++part) {
    double ready = 0;
    for (size_t engine = 0; engine < engine_count; ++engine) {
      if (sums->us[engine] <= 0) continue;
      const double begin = std::max(ready, free[engine]);
      ready = free[engine] = begin + sums->us[engine] / double(made.parts);
      made.then.push_back({static_cast<Engine>(engine), begin, ready});
    }
    made.then_us = ready;
  }
  const double won = made.now_us - made.then_us;
  return won < least_us || won < least_share * made.now_us ? std::nullopt : std::optional(std::move(made));
}

std::string overlap_text(const Overlap& overlap) {
  const std::string times =
      fmt::format("{} → {}", microseconds_text(overlap.now_us), microseconds_text(overlap.then_us));
  if (overlap.has_rounds)
    return fmt::format(
        "If its {} rounds need nothing of each other: in several streams, with pinned memory, they would "
        "overlap: {}.",
        overlap.parts, times);
  return fmt::format(
      "If the data can be cut in {} parts: in several streams, with pinned memory, copies and kernels would "
      "overlap: {}.",
      overlap.parts, times);
}

}  // namespace warplens::recording
