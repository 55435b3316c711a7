// A one-dimensional array as a line: its values over the index, prepared once so that a frame takes the same
// time for a hundred elements and for a hundred million.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "app/views/model/grid_plane.h"
#include "app/views/model/raster_buffer.h"

namespace warplens {

struct ValueRange {
  float low = 0, high = 0;
  bool any = false;        // a finite value
  bool unwritten = false;  // an element that was never written
};

struct Series {
  BufferSpec spec;                     // with `initial`: the values
  std::shared_ptr<const Bytes> bytes;  // the values
  std::shared_ptr<const Bytes> minus;  // of the difference: the values that are taken away; may be null
  DType minus_type = DType::f32;
  std::shared_ptr<const WriterMap> writers;  // null if not known
  uint64_t count = 0;                        // elements
  uint64_t bin = 1;                          // elements in one of `bins`
  std::vector<ValueRange> bins;
  float low = 0, high = 0;  // of the finite values
  // Describes the elements [first, end).
  ValueRange range(uint64_t first, uint64_t end) const;
};

// Empty if it is a picture or a matrix, or so short that a row of cells shows it.
std::optional<Series> series_of(const BufferSpec& spec, std::shared_ptr<const Bytes> bytes,
                                std::shared_ptr<const WriterMap> writers);
// |result − input| if both are of the same length.
std::optional<Series> difference_series(const Series& input, const Series& result);

// The elements that are visible: a part of the whole array.
struct SeriesView {
  double first = 0, count = 1;
};
SeriesView visible_elements(uint64_t count, MapView view);
// Zooms by `factor` and keeps the element at this share of the width in its place; moves by a share of it.
MapView zoomed_series(uint64_t count, MapView view, double share, float factor);
MapView panned_series(uint64_t count, MapView view, double share);

}  // namespace warplens
