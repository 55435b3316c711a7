// Rows of spans over time, as views draw, zoom and point at them. The unit of time is the view's:
// microseconds of a program, cycles of an SM. What is drawn is bounded by the width.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace warplens {

struct TimeRange {
  double from = 0, to = 0;
  double length() const { return to - from; }
  bool operator==(const TimeRange&) const = default;
};

struct TimeSpan {
  double begin = 0, end = 0;
  size_t item = 0;  // what the view says it is
};
struct TimeRow {
  std::vector<TimeSpan> spans;  // by begin
  std::vector<double> ends;     // the latest end of the spans so far, for the search
};

constexpr double shortest_us = 1e-3;  // of a range in microseconds

// `range` moved and cut so that it lies in 0 to `end_of_time` and is at least `shortest` long.
TimeRange clamped(TimeRange range, double end_of_time, double shortest = shortest_us);
// Longer (factor above 1) or shorter about a time that stays where it is.
TimeRange zoomed(TimeRange range, double about, double factor, double end_of_time,
                 double shortest = shortest_us);

struct VisibleSpans {
  size_t first = 0, last = 0;  // spans first … last − 1 may be seen
};
VisibleSpans visible(const TimeRow& row, TimeRange range);

// Pixels from the left of the row. Spans that are narrower than a pixel become one bar with their neighbours.
struct TimeBar {
  float x = 0, width = 0;
  size_t first = 0, count = 1;  // of the row's spans
};
// At most two for each pixel, in their order.
std::vector<TimeBar> bars_of(const TimeRow& row, TimeRange range, float width);
// The row's span at this pixel, the nearest within `slack` pixels; empty if there is none.
std::optional<size_t> span_at(const TimeRow& row, TimeRange range, float width, float x, float slack = 2);

}  // namespace warplens
