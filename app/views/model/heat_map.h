// The colours of a grid's blocks as a pyramid of bitmaps. It is built once for a run and a colouring, so
// that a frame takes the same time for forty blocks and for a million.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/base/draw/raster.h"
#include "app/base/palette.h"
#include "app/views/model/grid_plane.h"
#include "core/launch/run_result.h"

namespace warplens {

enum class Colouring : uint8_t { blocks, instructions, divergence, sectors };
constexpr std::array<Colouring, 4> all_colourings = {Colouring::blocks, Colouring::instructions,
                                                     Colouring::divergence, Colouring::sectors};
const char* to_string(Colouring colouring);     // "instructions a block"
std::string_view name_of(Colouring colouring);  // "instructions"
std::optional<Colouring> colouring_from(std::string_view name);

// The state of one cell of the map.
enum class BlockState : uint8_t {
  gap,        // no block: the cell is between slices
  uncovered,  // the problem needs a block here and the grid has none
  idle,       // a block that wrote no element of any output
  works,
};

struct HeatLevel {
  uint32_t shift = 0;  // a texel is 2^shift × 2^shift cells
  std::shared_ptr<const Raster> raster;
  std::vector<BlockState> states;
};

struct HeatMap {
  Plane plane;  // of grid and problem, whichever is larger
  Dim3 grid;
  Dim3 needed;  // blocks per axis for the problem; the grid's where the problem is not known
  Colouring colouring = Colouring::blocks;
  std::vector<HeatLevel> levels;  // from fine to coarse
  double low = 0, high = 0;       // of the blocks' amounts
  uint64_t blocks_per_bin = 1;    // if more than 1, the run counted whole bins of blocks
  bool sampled = false;           // a texel has too many blocks, so 16 of them represent all
  uint64_t idle_blocks = 0, uncovered_blocks = 0;
  std::optional<Dim3> problem;  // threads needed per axis, if known
  Dim3 block;                   // threads of a block
  uint64_t tail_threads = 0;    // threads beyond the problem
  bool has_amounts = false;     // the run recorded the amounts for this colouring
  // The picture that the problem is about, one pixel a thread: it lies faint beneath the colours that only
  // tell blocks apart. Null if there is none.
  std::shared_ptr<const Raster> picture;
};

// For each block, whether it wrote an element of an output. Empty if no writer map was recorded, or if the
// grid has more than 2^27 blocks.
std::vector<bool> writing_blocks(const RunResult& result);

// `problem` is the number of threads needed per axis, if known.
HeatMap build_heat_map(const RunResult& result, std::optional<Dim3> problem, Colouring colouring,
                       const Palette& palette);

// The amount of the colouring for one block (the mean of its bin). Empty if not recorded.
std::optional<double> amount_of(const BlockStats& stats, Colouring colouring, uint64_t linear_block);

// The finest level whose texels have at least `pixels` pixels on the screen, or the coarsest if none has.
const HeatLevel& level_for(const HeatMap& map, double pixels_per_cell, double pixels = 2.0);

}  // namespace warplens
