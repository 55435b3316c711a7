// Buffers as pictures: 8-bit ones of 1, 3 or 4 channels as they are, all others as amounts in viridis.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/raster.h"
#include "app/model/grid_plane.h"
#include "app/state/state.h"
#include "core/launch/run_result.h"

namespace warplens {

// A cell is a pixel of a picture, or an element of a matrix or vector. Long rows are folded.
struct BufferRaster {
  std::string name;
  Plane plane;             // in cells; extent: width × height
  uint32_t channels = 1;   // of the buffer; cell c holds elements c·channels …
  uint32_t reduction = 1;  // a texel averages reduction × reduction cells (pictures larger than a texture)
  std::shared_ptr<const Raster> raster;
  bool amounts = false;  // drawn in viridis from low to high
  double low = 0, high = 0;
  uint64_t not_finite = 0;  // elements that are NaN or infinite: gray
  uint64_t unwritten = 0;   // cells that nobody wrote: transparent, for the hatch below
  bool writers_known = false;
};

// Elements of channels of one cell that begin at `cell_element`.
inline uint64_t cell_element(const BufferRaster& raster, Dim3 at) {
  return linear_index(at, raster.plane.extent) * raster.channels;
}

bool is_picture(const BufferSpec& spec);
// `bytes` may be shorter than the spec says: what is missing is transparent. `writers`: cells without a
// writer become transparent; null: not known.
BufferRaster raster_of(const BufferSpec& spec, const Bytes& bytes, const WriterMap* writers);

// |a − b| per channel; a gray picture is compared with each channel of a coloured one. Empty with a reason
// where the two cannot be compared.
struct DifferenceRaster {
  std::optional<BufferRaster> raster;
  std::string reason;
  double largest = 0;
  uint64_t differing = 0;  // cells
};
DifferenceRaster difference_of(const BufferSpec& a_spec, const Bytes& a, const BufferSpec& b_spec,
                               const Bytes& b);

// Which buffers the view is about: the first picture-like input (else the first), and the first output.
struct ShownBuffers {
  std::optional<uint32_t> input, output;
};
ShownBuffers shown_buffers(const LaunchRequest& request);
const OutputBuffer* output_buffer(const RunResult& result, uint32_t buffer);

// Completes an element with the thread that wrote it.
Pick with_writer(const RunResult& result, ElementPick element);

// Where the blocks of a launch lie over its output, found in the writer map.
struct BlockRaster {
  bool known = false;
  // Columns and rows at which another block begins along the whole side: where a line may be drawn.
  std::vector<uint32_t> columns, rows;
  // Per block: the cells that it wrote, where they fill a rectangle (`exact`); empty boxes wrote nothing.
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
