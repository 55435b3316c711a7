// Buffers as pictures: 8-bit buffers of 1, 3 or 4 channels are shown as they are, all others as amounts in
// viridis.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/draw/raster.h"
#include "app/state/parts/pins.h"
#include "app/state/state.h"
#include "app/views/model/grid_plane.h"
#include "core/launch/run_result.h"

namespace warplens {

// A cell is a pixel of a picture, or an element of a matrix or vector. Long rows are folded.
struct BufferRaster {
  std::string name;
  Plane plane;             // in cells; extent: width × height
  uint32_t channels = 1;   // of the buffer; cell c has the elements from c·channels on
  uint32_t reduction = 1;  // a texel is the mean of reduction × reduction cells (for very large pictures)
  std::shared_ptr<const Raster> raster;
  bool amounts = false;  // drawn in viridis from low to high
  double low = 0, high = 0;
  uint64_t not_finite = 0;  // elements that are NaN or infinite; drawn gray
  uint64_t unwritten = 0;   // cells that no thread wrote; transparent, so that the hatch below shows
  bool writers_known = false;
};

// The first element of a cell.
inline uint64_t cell_element(const BufferRaster& raster, Dim3 at) {
  return linear_index(at, raster.plane.extent) * raster.channels;
}

bool is_picture(const BufferSpec& spec);
// If `bytes` is shorter than the spec says, missing cells are transparent. So are cells without a writer in
// `writers`, which is null if not known.
BufferRaster raster_of(const BufferSpec& spec, const Bytes& bytes, const WriterMap* writers);

// |a − b| per channel. A gray picture is compared with each channel of a coloured one. If the two cannot be
// compared, it is empty with a reason.
struct DifferenceRaster {
  std::optional<BufferRaster> raster;
  std::string reason;
  double largest = 0;
  uint64_t differing = 0;  // cells
};
DifferenceRaster difference_of(const BufferSpec& a_spec, const Bytes& a, const BufferSpec& b_spec,
                               const Bytes& b);

// The buffers that the view shows: the first input that is a picture (or else the first input), and the
// first output.
struct ShownBuffers {
  std::optional<uint32_t> input, output;
};
// With the name of a buffer, that one is used instead of the input or output.
ShownBuffers shown_buffers(const LaunchRequest& request, std::string_view array = {});

// The regions of the output that the blocks of a launch wrote, found in the writer map.
struct BlockRaster {
  bool known = false;
  // Columns and rows at which another block begins along the whole side, so that a line can be drawn there.
  std::vector<uint32_t> columns, rows;
  // For each block, the cells that it wrote, if they fill a rectangle (`exact`). A block with an empty box
  // wrote nothing.
  struct Extent {
    uint32_t x0 = UINT32_MAX, y0 = UINT32_MAX, x1 = 0, y1 = 0;  // inclusive
    uint64_t cells = 0;
    bool exact() const { return cells > 0 && cells == (uint64_t{x1} - x0 + 1) * (uint64_t{y1} - y0 + 1); }
  };
  Extent written;              // all of them together
  std::vector<Extent> blocks;  // by linear block; empty for grids of more than 2^22 blocks
};
BlockRaster block_raster(const BufferRaster& raster, const WriterMap& writers);

}  // namespace warplens
