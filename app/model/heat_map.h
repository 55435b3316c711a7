// The colours of a grid's blocks as a pyramid of bitmaps: built once for a run and a colouring, so that a
// frame costs the same for forty blocks and for a million.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/base/palette.h"
#include "app/draw/raster.h"
#include "app/model/grid_plane.h"
#include "core/launch/run_result.h"

namespace warplens {

enum class Colouring : uint8_t { blocks, instructions, divergence, sectors };
constexpr std::array<Colouring, 4> all_colourings = {Colouring::blocks, Colouring::instructions,
                                                     Colouring::divergence, Colouring::sectors};
const char* to_string(Colouring colouring);     // "instructions a block"
std::string_view name_of(Colouring colouring);  // "instructions"
std::optional<Colouring> colouring_from(std::string_view name);

// What became of one cell of the map.
enum class BlockState : uint8_t {
  gap,        // no block: between slices
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
  Colouring colouring = Colouring::blocks;
  std::vector<HeatLevel> levels;  // fine to coarse
  double low = 0, high = 0;       // of the blocks' amounts
  uint64_t blocks_per_bin = 1;    // more than 1: the run counted whole bins of blocks
  bool sampled = false;           // a texel's blocks are too many: 16 of them stand for all
  uint64_t idle_blocks = 0, uncovered_blocks = 0;
  bool has_amounts = false;  // the run recorded what the colouring shows
};

// One bit a block: did it write an element of an output? Empty where no writer map was recorded or the grid
// is larger than 2^27 blocks.
std::vector<bool> writing_blocks(const RunResult& result);

// `problem`: threads needed per axis, where known.
HeatMap build_heat_map(const RunResult& result, std::optional<Dim3> problem, Colouring colouring,
                       const Palette& palette);

// Amount of the colouring for one block (the mean of its bin); empty where not recorded.
std::optional<double> amount_of(const BlockStats& stats, Colouring colouring, uint64_t linear_block);

// The coarsest detail that still gives a texel `pixels` pixels on screen.
const HeatLevel& level_for(const HeatMap& map, double pixels_per_cell, double pixels = 2.0);

}  // namespace warplens
