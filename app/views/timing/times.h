// Modelled times against measured ones: a dot for each launch. The file is JSON:
//   {"device": "NVIDIA H200", "band": 1.35,
//    "launches": [{"kernel": "vector_add", "set": "held out", "measured_us": 5.8, "modelled_us": 5.6}]}
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/draw/picture.h"
#include "app/base/draw/style.h"
#include "core/base/result.h"

namespace warplens {

struct TimedPoint {
  std::string kernel, set;  // sets are told apart by filled dots (the first one) and rings
  double measured_us = 0, modelled_us = 0;
};
struct TimedPoints {
  std::string device;
  double band = 1;  // times up and down
  std::vector<TimedPoint> launches;
};

constexpr size_t max_timed_points = 100'000;
constexpr uint64_t max_timed_points_bytes = uint64_t{32} << 20;

// Errors name `file` and the place in it: times that are not above 0, no launches, more than two sets.
Result<TimedPoints> parse_timed_points(std::string_view text, const std::string& file);

// |modelled − measured| / measured that at least half of the launches of a set do not exceed.
double middle_error(const TimedPoints& points, std::string_view set);

// Returns the y below it. `dots` gets the place of each launch, for tests; it may be null.
float draw_timed_points(Picture& picture, const Style& style, Box box, const TimedPoints& points,
                        std::vector<Point>* dots = nullptr);

}  // namespace warplens
