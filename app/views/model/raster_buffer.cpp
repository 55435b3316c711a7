#include "app/views/model/raster_buffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "app/base/draw/amounts.h"
#include "app/views/model/access_view.h"

namespace warplens {

namespace {

// Every OpenGL 3 texture can have this width and height.
constexpr uint64_t largest_texture = 4096;

uint64_t cells_of(const BufferSpec& spec) { return uint64_t{spec.width} * spec.height; }

bool nobody_wrote(const WriterMap* writers, uint64_t element, uint32_t channels) {
  if (writers == nullptr) return false;
  for (uint64_t e = element; e < element + channels; ++e)
    if (e < writers->writer.size() && writers->writer[e] != 0) return false;
  return true;
}

// The colour of one cell. Alpha is 0 if there is nothing to show.
struct CellColour {
  uint32_t rgb = 0;
  uint8_t alpha = 0;
};

CellColour picture_cell(const BufferSpec& spec, const Bytes& bytes, uint64_t element) {
  if (element + spec.channels > bytes.size()) return {};
  const auto byte = [&](uint64_t i) { return std::to_integer<uint32_t>(bytes[element + i]); };
  if (spec.channels == 1) return {byte(0) << 16 | byte(0) << 8 | byte(0), 255};
  return {byte(0) << 16 | byte(1) << 8 | byte(2),
          spec.channels == 4 ? static_cast<uint8_t>(byte(3)) : uint8_t{255}};
}

CellColour amount_cell(const BufferRaster& raster, const BufferSpec& spec, const Bytes& bytes,
                       uint64_t element) {
  const std::optional<double> value = value_of(spec, bytes, element);
  if (!value) return {};
  const double range = raster.high - raster.low;
  const double share = !std::isfinite(*value) ? std::nan("")
                       : range > 0            ? (*value - raster.low) / range
                                              : 0.5;
  // Where all are the same, there is nothing to look at.
  if (!(range > 0) && std::isfinite(*value)) return {uniform_colour, 255};
  return {viridis(share), 255};
}

void find_range(BufferRaster& raster, const BufferSpec& spec, const Bytes& bytes, const WriterMap* writers) {
  raster.low = std::numeric_limits<double>::max();
  raster.high = std::numeric_limits<double>::lowest();
  for (uint64_t cell = 0; cell < cells_of(spec); ++cell) {
    const uint64_t element = cell * spec.channels;
    const std::optional<double> value = value_of(spec, bytes, element);
    if (!value || nobody_wrote(writers, element, spec.channels)) continue;
    if (!std::isfinite(*value)) {
      ++raster.not_finite;
      continue;
    }
    raster.low = std::min(raster.low, *value);
    raster.high = std::max(raster.high, *value);
  }
  if (raster.low > raster.high) raster.low = raster.high = 0;
}

// The rows of a buffer's plane, folded or not, are in reading order. After the last cell of a fold there is
// nothing.
uint64_t index_of(const Plane& plane, Cell cell) { return cell.row * plane.columns + cell.column; }

// Fills the bitmap from a function of the cell's position. If the bitmap is reduced, cells are averaged.
template <class CellAt>
Raster paint(const Plane& plane, uint32_t reduction, CellAt cell_at) {
  const uint64_t width = ceil_div(plane.columns, reduction), height = ceil_div(plane.rows, reduction);
  Raster raster = make_raster(static_cast<uint32_t>(width), static_cast<uint32_t>(height));
  if (reduction == 1) {
    for (uint64_t y = 0; y < height; ++y)
      for (uint64_t x = 0; x < width; ++x)
        if (const CellColour cell = cell_at(Cell{x, y}); cell.alpha != 0)
          put_pixel(raster, y * width + x, cell.rgb, cell.alpha);
    return raster;
  }
  for (uint64_t y = 0; y < height; ++y) {
    for (uint64_t x = 0; x < width; ++x) {
      uint32_t sum[4] = {}, alpha = 0, cells = 0;
      for (uint64_t r = y * reduction; r < std::min(plane.rows, (y + 1) * reduction); ++r) {
        for (uint64_t c = x * reduction; c < std::min(plane.columns, (x + 1) * reduction); ++c, ++cells) {
          const CellColour cell = cell_at(Cell{c, r});
          sum[0] += (cell.rgb >> 16 & 255) * cell.alpha;
          sum[1] += (cell.rgb >> 8 & 255) * cell.alpha;
          sum[2] += (cell.rgb & 255) * cell.alpha;
          alpha += cell.alpha;
        }
      }
      if (alpha == 0) continue;
      const uint32_t rgb = (sum[0] + alpha / 2) / alpha << 16 | (sum[1] + alpha / 2) / alpha << 8 |
                           (sum[2] + alpha / 2) / alpha;
      put_pixel(raster, y * width + x, rgb, static_cast<uint8_t>(alpha / cells));
    }
  }
  return raster;
}

uint32_t reduction_for(const Plane& plane) {
  return static_cast<uint32_t>(
      std::max<uint64_t>(1, ceil_div(std::max(plane.columns, plane.rows), largest_texture)));
}

}  // namespace

bool is_picture(const BufferSpec& spec) {
  return spec.dtype == DType::u8 && (spec.channels == 1 || spec.channels == 3 || spec.channels == 4) &&
         spec.width > 0 && spec.height > 0;
}

BufferRaster raster_of(const BufferSpec& spec, const Bytes& bytes, const WriterMap* writers) {
  BufferRaster raster;
  raster.name = spec.name;
  raster.channels = std::max(1u, spec.channels);
  raster.plane = make_plane({std::max(1u, spec.width), std::max(1u, spec.height), 1});
  raster.reduction = reduction_for(raster.plane);
  raster.amounts = !is_picture(spec);
  raster.writers_known = writers != nullptr;
  if (raster.amounts) find_range(raster, spec, bytes, writers);
  const uint64_t cells = raster.plane.extent.count();
  Raster painted = paint(raster.plane, raster.reduction, [&, cells](Cell cell) -> CellColour {
    const uint64_t index = index_of(raster.plane, cell), element = index * raster.channels;
    if (index >= cells) return {};
    if (nobody_wrote(writers, element, raster.channels)) {
      ++raster.unwritten;
      return {};
    }
    return raster.amounts ? amount_cell(raster, spec, bytes, element) : picture_cell(spec, bytes, element);
  });
  raster.raster = std::make_shared<const Raster>(std::move(painted));
  return raster;
}

DifferenceRaster difference_of(const BufferSpec& a_spec, const Bytes& a, const BufferSpec& b_spec,
                               const Bytes& b) {
  DifferenceRaster result;
  if (a_spec.width != b_spec.width || a_spec.height != b_spec.height) {
    result.reason =
        fmt::format("{} and {} differ in size, so there is no difference to show.", a_spec.name, b_spec.name);
    return result;
  }
  if (a_spec.channels != b_spec.channels && a_spec.channels != 1 && b_spec.channels != 1) {
    result.reason = fmt::format("{} and {} differ in channels, so there is no difference to show.",
                                a_spec.name, b_spec.name);
    return result;
  }
  // If both are pictures, the difference is one too. Otherwise it is the largest difference of a cell's
  // channels, as an amount.
  const uint32_t channels = std::max(a_spec.channels, b_spec.channels);
  const bool picture = is_picture(a_spec) && is_picture(b_spec);
  const auto at = [&](const BufferSpec& spec, const Bytes& bytes, uint64_t cell, uint32_t channel) -> double {
    const uint64_t element = cell * spec.channels + (spec.channels == 1 ? 0 : channel);
    if (picture) return element < bytes.size() ? std::to_integer<uint8_t>(bytes[element]) : 0;
    return value_of(spec, bytes, element).value_or(0);
  };
  BufferSpec spec;
  spec.name = fmt::format("|{} − {}|", b_spec.name, a_spec.name);
  spec.width = a_spec.width;
  spec.height = a_spec.height;
  spec.channels = picture ? (channels == 4 ? 3 : channels) : 1;
  spec.dtype = picture ? DType::u8 : DType::f64;
  Bytes bytes(cells_of(spec) * spec.channels * bytes_of(spec.dtype));
  for (uint64_t cell = 0; cell < cells_of(spec); ++cell) {
    double most = 0;
    for (uint32_t channel = 0; channel < channels; ++channel) {
      const double difference = std::abs(at(a_spec, a, cell, channel) - at(b_spec, b, cell, channel));
      if (picture && channel < spec.channels)
        bytes[cell * spec.channels + channel] = static_cast<std::byte>(std::min(255.0, difference));
      if (!(difference <= most)) most = difference;  // NaN counts
    }
    if (!picture) std::memcpy(bytes.data() + cell * sizeof most, &most, sizeof most);
    if (!(most <= 0)) ++result.differing;
    if (most > result.largest) result.largest = most;
  }
  result.raster = raster_of(spec, bytes, nullptr);
  return result;
}

ShownBuffers shown_buffers(const LaunchRequest& request, std::string_view array) {
  ShownBuffers shown;
  for (uint32_t i = 0; i < request.buffers.size(); ++i) {
    const BufferSpec& spec = request.buffers[i];
    if (spec.output && !shown.output) shown.output = i;
    if (spec.output || !spec.initial) continue;
    const bool better = shown.input && !is_picture(request.buffers[*shown.input]) && is_picture(spec);
    if (!shown.input || better) shown.input = i;
  }
  // A kernel that works in place: its input is what the output held before.
  if (!shown.input && shown.output && request.buffers[*shown.output].initial) shown.input = shown.output;
  for (uint32_t i = 0; i < request.buffers.size() && !array.empty(); ++i) {
    if (request.buffers[i].name != array) continue;
    if (request.buffers[i].output) {
      shown.output = i;
    } else if (request.buffers[i].initial) {
      shown.input = i;
    }
  }
  return shown;
}

namespace {

uint64_t writer_block(const WriterMap& writers, uint64_t element) {
  const uint64_t threads = std::max<uint64_t>(1, writers.block.count());
  if (element >= writers.writer.size() || writers.writer[element] == 0) return UINT64_MAX;
  return (writers.writer[element] - 1) / threads;
}

struct Changes {
  std::vector<uint64_t> changes, pairs;  // at each boundary
  explicit Changes(uint64_t size) : changes(size), pairs(size) {}
  void see(uint64_t boundary, uint64_t a, uint64_t b) {
    if (a == UINT64_MAX || b == UINT64_MAX) return;
    ++pairs[boundary];
    changes[boundary] += a != b;
  }
  std::vector<uint32_t> lines() const {
    std::vector<uint32_t> at;
    for (size_t i = 1; i < pairs.size(); ++i)
      if (pairs[i] > 0 && changes[i] == pairs[i]) at.push_back(static_cast<uint32_t>(i));
    return at;
  }
};

void widen(BlockRaster::Extent& extent, uint32_t x, uint32_t y) {
  extent.x0 = std::min(extent.x0, x);
  extent.y0 = std::min(extent.y0, y);
  extent.x1 = std::max(extent.x1, x);
  extent.y1 = std::max(extent.y1, y);
  ++extent.cells;
}

}  // namespace

BlockRaster block_raster(const BufferRaster& raster, const WriterMap& writers) {
  BlockRaster blocks;
  const Plane& plane = raster.plane;
  if (writers.grid.count() <= (uint64_t{1} << 22)) blocks.blocks.resize(writers.grid.count());
  const uint64_t cells = plane.extent.count();
  Changes columns(plane.columns), rows(plane.rows);
  std::vector<uint64_t> above(plane.columns, UINT64_MAX);
  for (uint64_t y = 0; y < plane.rows; ++y) {
    uint64_t left = UINT64_MAX;
    for (uint64_t x = 0; x < plane.columns; ++x) {
      const uint64_t index = index_of(plane, {x, y});
      const uint64_t block = index < cells ? writer_block(writers, index * raster.channels) : UINT64_MAX;
      if (x > 0) columns.see(x, left, block);
      if (y > 0) rows.see(y, above[x], block);
      left = above[x] = block;
      if (block != UINT64_MAX) widen(blocks.written, static_cast<uint32_t>(x), static_cast<uint32_t>(y));
      if (block < blocks.blocks.size())
        widen(blocks.blocks[block], static_cast<uint32_t>(x), static_cast<uint32_t>(y));
    }
  }
  blocks.columns = columns.lines();
  blocks.rows = rows.lines();
  blocks.known = true;
  return blocks;
}

}  // namespace warplens
