#include "app/views/image/series.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/views/model/access_view.h"

namespace warplens {

namespace {

constexpr uint64_t most_bins = 1 << 20;
constexpr double least_elements = 8;  // that are visible at the largest zoom

void widen_range(ValueRange& range, const ValueRange& by) {
  range.unwritten |= by.unwritten;
  if (!by.any) return;
  range.low = range.any ? std::min(range.low, by.low) : by.low;
  range.high = range.any ? std::max(range.high, by.high) : by.high;
  range.any = true;
}

ValueRange range_of_element(const Series& series, uint64_t element) {
  ValueRange range;
  if (series.writers && element < series.writers->writer.size())
    range.unwritten = series.writers->writer[element] == 0;
  std::optional<double> value = value_of(series.spec, *series.bytes, element);
  if (series.minus != nullptr && value) {
    BufferSpec other = series.spec;
    other.dtype = series.minus_type;
    value = std::abs(*value - value_of(other, *series.minus, element).value_or(0));
  }
  if (!value || !std::isfinite(*value) || range.unwritten) return range;
  range.low = range.high = static_cast<float>(*value);
  range.any = true;
  return range;
}

void fill_bins(Series& series) {
  series.bin = std::max<uint64_t>(1, ceil_div(series.count, most_bins));
  series.bins.assign(ceil_div(series.count, series.bin), {});
  ValueRange all;
  for (size_t i = 0; i < series.bins.size(); ++i) {
    const uint64_t end = std::min(series.count, (i + 1) * series.bin);
    for (uint64_t element = i * series.bin; element < end; ++element)
      widen_range(series.bins[i], range_of_element(series, element));
    widen_range(all, series.bins[i]);
  }
  series.low = all.low;
  series.high = all.high;
}

}  // namespace

ValueRange Series::range(uint64_t first, uint64_t end) const {
  ValueRange found;
  end = std::min(end, count);
  while (first < end) {
    if (bin == 1 || first % bin != 0 || end - first < bin) {
      widen_range(found, bin == 1 ? bins[first] : range_of_element(*this, first));
      ++first;
    } else {
      widen_range(found, bins[first / bin]);
      first += bin;
    }
  }
  return found;
}

std::optional<Series> series_of(const BufferSpec& spec, std::shared_ptr<const Bytes> bytes,
                                std::shared_ptr<const WriterMap> writers) {
  const bool vector = !is_picture(spec) && spec.height <= 1 && spec.channels <= 1;
  if (!vector || !bytes || !make_plane({std::max(1u, spec.width), 1, 1}).folded) return std::nullopt;
  Series series;
  series.spec = spec;
  series.count = spec.width;
  series.bytes = std::move(bytes);
  series.writers = std::move(writers);
  fill_bins(series);
  return series;
}

std::optional<Series> difference_series(const Series& input, const Series& result) {
  if (input.count != result.count) return std::nullopt;
  Series series = result;
  series.minus = input.bytes;
  series.minus_type = input.spec.dtype;
  fill_bins(series);
  return series;
}

SeriesView visible_elements(uint64_t count, MapView view) {
  const auto all = static_cast<double>(count);
  const double shown = std::min(all, std::max(least_elements, all / std::max(1.0, double{view.zoom})));
  return {std::clamp(view.centre.x * all - shown / 2, 0.0, all - shown), shown};
}

namespace {

MapView view_at(uint64_t count, MapView view, double first, double shown) {
  const auto all = static_cast<double>(count);
  view.zoom = static_cast<float>(all / shown);
  view.centre.x = static_cast<float>((std::clamp(first, 0.0, all - shown) + shown / 2) / all);
  return view;
}

}  // namespace

MapView zoomed_series(uint64_t count, MapView view, double share, float factor) {
  const SeriesView now = visible_elements(count, view);
  const auto all = static_cast<double>(count);
  const double shown = std::clamp(now.count / double{factor}, std::min(all, least_elements), all);
  return view_at(count, view, now.first + share * (now.count - shown), shown);
}

MapView panned_series(uint64_t count, MapView view, double share) {
  const SeriesView now = visible_elements(count, view);
  return view_at(count, view, now.first - share * now.count, now.count);
}

}  // namespace warplens
