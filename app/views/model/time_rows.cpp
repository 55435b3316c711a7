#include "app/views/model/time_rows.h"

#include <algorithm>
#include <cmath>

namespace warplens {

VisibleSpans visible(const TimeRow& row, TimeRange range) {
  const auto first = std::lower_bound(row.ends.begin(), row.ends.end(), range.from);
  const auto last = std::upper_bound(row.spans.begin(), row.spans.end(), range.to,
                                     [](double at, const TimeSpan& span) { return at < span.begin; });
  const auto begin = static_cast<size_t>(first - row.ends.begin());
  return {begin, std::max(begin, static_cast<size_t>(last - row.spans.begin()))};
}

TimeRange clamped(TimeRange range, double end_of_time, double shortest) {
  const double end = std::max(end_of_time, shortest);
  if (!std::isfinite(range.from) || !std::isfinite(range.to)) return {0, end};
  const double length = std::clamp(range.length(), shortest, end);
  const double from = std::clamp(range.from, 0.0, end - length);
  return {from, from + length};
}

TimeRange zoomed(TimeRange range, double about, double factor, double end_of_time, double shortest) {
  const double end = std::max(end_of_time, shortest);
  const double length = std::clamp(range.length() * factor, shortest, end);
  const double share = range.length() > 0 ? (about - range.from) / range.length() : 0.5;
  return clamped({about - share * length, about + (1 - share) * length}, end, shortest);
}

std::vector<TimeBar> bars_of(const TimeRow& row, TimeRange range, float width) {
  std::vector<TimeBar> bars;
  if (!(width >= 1) || !(range.length() > 0)) return bars;
  const double per_unit = double(width) / range.length();
  const VisibleSpans seen = visible(row, range);
  double free = 0;  // the first pixel without a bar
  const double last_pixel = std::ceil(double(width)) - 1;
  const auto end_of_seen = row.spans.begin() + static_cast<ptrdiff_t>(seen.last);
  for (size_t i = seen.first; i < seen.last;) {
    const TimeSpan& span = row.spans[i];
    const double x = std::clamp((span.begin - range.from) * per_unit, 0.0, last_pixel);
    const double end = std::min((span.end - range.from) * per_unit, double(width));
    if (end - x >= 1) {
      bars.push_back({static_cast<float>(x), static_cast<float>(end - x), i, 1});
      free = end;
      ++i;
      continue;
    }
    // All that begin in the same pixel, in one step.
    const double pixel = std::min(std::floor(std::max(x, free)), last_pixel);
    auto last = end_of_seen;
    if (pixel < last_pixel) {
      const double next_time = range.from + (pixel + 1) / per_unit;
      last = std::lower_bound(row.spans.begin() + static_cast<ptrdiff_t>(i) + 1, end_of_seen, next_time,
                              [](const TimeSpan& s, double at) { return s.begin < at; });
    }
    auto count = static_cast<size_t>(last - row.spans.begin()) - i;
    // One that can be seen by itself stays apart.
    const TimeSpan& behind = row.spans[i + count - 1];
    if (count > 1 && pixel < last_pixel && (behind.end - behind.begin) * per_unit >= 1) --count;
    bars.push_back({static_cast<float>(pixel), std::min(1.0f, width - static_cast<float>(pixel)), i, count});
    free = pixel + 1;
    i += count;
  }
  return bars;
}

std::optional<size_t> span_at(const TimeRow& row, TimeRange range, float width, float x, float slack) {
  if (!(width >= 1) || !(range.length() > 0) || x < -slack || x > width + slack) return std::nullopt;
  const double units_per = range.length() / double(width);
  const double at = range.from + double(x) * units_per, near = double(slack) * units_per;
  const auto after = std::upper_bound(row.spans.begin(), row.spans.end(), at,
                                      [](double time, const TimeSpan& span) { return time < span.begin; });
  const auto index = static_cast<size_t>(after - row.spans.begin());
  std::optional<size_t> best;
  double nearest = near;
  const auto consider = [&](size_t i) {
    const TimeSpan& span = row.spans[i];
    const double away = at < span.begin ? span.begin - at : at > span.end ? at - span.end : 0;
    if (away > nearest || (best && away == nearest)) return;
    best = i;
    nearest = away;
  };
  if (index > 0) consider(index - 1);
  if (index < row.spans.size()) consider(index);
  return best;
}

}  // namespace warplens
