#include "app/views/model/heat_map.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/base/draw/amounts.h"
#include "app/views/model/raster_buffer.h"

namespace warplens {

namespace {

constexpr uint64_t most_texels = 1 << 20;
constexpr uint64_t most_texels_a_side = 4096;
constexpr uint64_t samples_a_side = 4;  // of the cells under one texel of the finest level

const std::vector<uint64_t>* counts_of(const BlockStats& stats, Colouring colouring) {
  switch (colouring) {
    case Colouring::instructions:
      return &stats.warp_instructions;
    case Colouring::divergence:
      return &stats.divergent_branches;
    case Colouring::sectors:
      return &stats.global_sectors;
    case Colouring::blocks:
      break;
  }
  return nullptr;
}

struct Texel {
  double sum = 0;
  uint32_t working = 0, idle = 0, uncovered = 0;

  BlockState state() const {
    if (working > 0) return BlockState::works;
    if (idle > 0) return BlockState::idle;
    return uncovered > 0 ? BlockState::uncovered : BlockState::gap;
  }
  void add(const Texel& other) {
    sum += other.sum;
    working += other.working;
    idle += other.idle;
    uncovered += other.uncovered;
  }
};

struct TexelGrid {
  uint64_t columns = 0, rows = 0;
  std::vector<Texel> texels;
};

// Everything that the finest level looks up per block.
struct Lookup {
  const HeatMap& map;
  const BlockStats* stats;
  std::vector<bool> writes;

  void visit(Cell cell, Texel& texel) const {
    const std::optional<Dim3> position = position_in(map.plane, cell);
    if (!position) return;
    const Dim3& grid = map.grid;
    if (position->x >= grid.x || position->y >= grid.y || position->z >= grid.z) {
      // Neither the grid nor the problem has a block in a corner that both leave out.
      const Dim3& needed = map.needed;
      texel.uncovered += position->x < needed.x && position->y < needed.y && position->z < needed.z;
      return;
    }
    const uint64_t block = linear_index(*position, grid);
    if (block < writes.size() && !writes[block]) {
      ++texel.idle;
      return;
    }
    ++texel.working;
    if (stats != nullptr) texel.sum += amount_of(*stats, map.colouring, block).value_or(0);
  }
};

TexelGrid finest(const Lookup& lookup, uint32_t shift) {
  const Plane& plane = lookup.map.plane;
  const uint64_t side = uint64_t{1} << shift, step = std::max<uint64_t>(1, side / samples_a_side);
  TexelGrid grid{ceil_div(plane.columns, side), ceil_div(plane.rows, side), {}};
  grid.texels.resize(grid.columns * grid.rows);
  for (uint64_t row = 0; row < grid.rows; ++row) {
    for (uint64_t column = 0; column < grid.columns; ++column) {
      Texel& texel = grid.texels[row * grid.columns + column];
      for (uint64_t y = row * side; y < std::min(plane.rows, (row + 1) * side); y += step)
        for (uint64_t x = column * side; x < std::min(plane.columns, (column + 1) * side); x += step)
          lookup.visit({x, y}, texel);
    }
  }
  return grid;
}

TexelGrid halved(const TexelGrid& fine) {
  TexelGrid coarse{ceil_div(fine.columns, 2), ceil_div(fine.rows, 2), {}};
  coarse.texels.resize(coarse.columns * coarse.rows);
  for (uint64_t row = 0; row < fine.rows; ++row)
    for (uint64_t column = 0; column < fine.columns; ++column)
      coarse.texels[row / 2 * coarse.columns + column / 2].add(fine.texels[row * fine.columns + column]);
  return coarse;
}

// Neighbours in a row and in a column have different colours: that of x + y. The rows of a folded row go on
// where the one before ends.
uint32_t colour_of_texel(const HeatMap& map, const TexelGrid& grid, size_t texel) {
  const uint64_t at = map.plane.folded ? texel : texel % grid.columns + texel / grid.columns;
  return group_colours[at % group_colours.size()];
}

HeatLevel painted(const HeatMap& map, const TexelGrid& grid, uint32_t shift, const Palette& palette) {
  HeatLevel level{shift, nullptr, {}};
  level.states.reserve(grid.texels.size());
  Raster raster = make_raster(static_cast<uint32_t>(grid.columns), static_cast<uint32_t>(grid.rows));
  const double range = map.high - map.low;
  for (size_t i = 0; i < grid.texels.size(); ++i) {
    const Texel& texel = grid.texels[i];
    level.states.push_back(texel.state());
    if (texel.state() == BlockState::gap) put_pixel(raster, i, palette.panel);
    if (texel.state() == BlockState::idle) put_pixel(raster, i, mix(palette.panel, palette.quiet, 0.18));
    if (texel.state() != BlockState::works) continue;  // uncovered: stays transparent over the hatch
    uint32_t rgb = colour_of_texel(map, grid, i);
    if (map.has_amounts) {
      const double mean = texel.sum / texel.working;
      // Where all are the same, there is nothing to look at: words say the number.
      rgb = range > 0 ? viridis((mean - map.low) / range) : mix(palette.panel, palette.quiet, 0.4);
    }
    put_pixel(raster, i, rgb);
  }
  level.raster = std::make_shared<const Raster>(std::move(raster));
  return level;
}

Dim3 needed_blocks(const LaunchShape& shape, std::optional<Dim3> problem) {
  if (!problem) return shape.grid;
  const auto needed = [](uint32_t threads, uint32_t block) {
    return static_cast<uint32_t>(ceil_div(threads, block));
  };
  return {needed(problem->x, shape.block.x), needed(problem->y, shape.block.y),
          needed(problem->z, shape.block.z)};
}

Dim3 larger(Dim3 a, Dim3 b) { return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}; }
Dim3 smaller(Dim3 a, Dim3 b) { return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)}; }

uint64_t tail_threads_of(const LaunchShape& shape, std::optional<Dim3> problem) {
  if (!problem) return 0;
  const auto covered = [](uint32_t blocks, uint32_t threads, uint32_t needed) {
    return std::min<uint64_t>(uint64_t{blocks} * threads, needed);
  };
  const uint64_t useful = covered(shape.grid.x, shape.block.x, problem->x) *
                          covered(shape.grid.y, shape.block.y, problem->y) *
                          covered(shape.grid.z, shape.block.z, problem->z);
  return shape.grid.count() * shape.block.count() - useful;
}

void find_range(HeatMap& map, const BlockStats& stats) {
  const uint64_t bins = counts_of(stats, map.colouring)->size();
  map.low = std::numeric_limits<double>::max();
  for (uint64_t bin = 0; bin < bins; ++bin) {
    const double amount = amount_of(stats, map.colouring, bin * stats.blocks_per_bin).value_or(0);
    map.low = std::min(map.low, amount);
    map.high = std::max(map.high, amount);
  }
}

// Of the result only where the problem is known: where it is to be found out, it is not.
std::shared_ptr<const Raster> picture_beneath(const RunResult& result, const HeatMap& map) {
  if (!result.request || !map.problem || map.plane.folded || map.plane.extent.z != 1) return nullptr;
  const auto fits = [&](const BufferSpec& spec) {
    return is_picture(spec) && spec.width == map.problem->x && spec.height == map.problem->y;
  };
  const LaunchRequest& request = *result.request;
  const ShownBuffers shown = shown_buffers(request);
  if (shown.input && fits(request.buffers[*shown.input]))
    return raster_of(request.buffers[*shown.input], *request.buffers[*shown.input].initial, nullptr).raster;
  const OutputBuffer* output = shown.output ? output_buffer(result, *shown.output) : nullptr;
  if (output == nullptr || !fits(request.buffers[output->index])) return nullptr;
  return raster_of(request.buffers[output->index], *output->bytes, nullptr).raster;
}

}  // namespace

const char* to_string(Colouring colouring) {
  switch (colouring) {
    case Colouring::blocks:
      return "blocks";
    case Colouring::instructions:
      return "instructions a block";
    case Colouring::divergence:
      return "divergent branches a block";
    case Colouring::sectors:
      return "sectors a block";
  }
  return "";
}

std::string_view name_of(Colouring colouring) {
  switch (colouring) {
    case Colouring::blocks:
      return "blocks";
    case Colouring::instructions:
      return "instructions";
    case Colouring::divergence:
      return "divergence";
    case Colouring::sectors:
      return "sectors";
  }
  return "";
}

std::optional<Colouring> colouring_from(std::string_view name) {
  for (const Colouring colouring : all_colourings)
    if (name == name_of(colouring)) return colouring;
  return std::nullopt;
}

std::vector<bool> writing_blocks(const RunResult& result) {
  const uint64_t blocks = result.shape.grid.count(), threads = result.shape.block.count();
  std::vector<bool> writes;
  if (blocks == 0 || blocks > (uint64_t{1} << 27) || threads == 0) return writes;
  for (const OutputBuffer& output : result.outputs) {
    if (!output.writers) continue;
    writes.resize(blocks);
    for (const uint64_t writer : output.writers->writer)
      if (writer != 0 && (writer - 1) / threads < blocks) writes[(writer - 1) / threads] = true;
  }
  return writes;
}

std::optional<double> amount_of(const BlockStats& stats, Colouring colouring, uint64_t linear_block) {
  const std::vector<uint64_t>* counts = counts_of(stats, colouring);
  if (counts == nullptr || stats.blocks_per_bin == 0) return std::nullopt;
  const uint64_t bin = linear_block / stats.blocks_per_bin;
  if (bin >= counts->size()) return std::nullopt;
  // The last bin may be short.
  const uint64_t first = bin * stats.blocks_per_bin;
  const uint64_t in_bin =
      std::min(stats.blocks_per_bin, stats.grid.count() - std::min(first, stats.grid.count()));
  return (*counts)[bin] / static_cast<double>(std::max<uint64_t>(1, in_bin));
}

HeatMap build_heat_map(const RunResult& result, std::optional<Dim3> problem, Colouring colouring,
                       const Palette& palette) {
  HeatMap map;
  map.grid = result.shape.grid;
  map.needed = needed_blocks(result.shape, problem);
  map.plane = make_plane(larger(map.grid, map.needed));
  map.colouring = colouring;
  map.problem = problem;
  map.block = result.shape.block;
  map.tail_threads = tail_threads_of(result.shape, problem);
  const BlockStats* stats = result.blocks ? result.blocks.get() : nullptr;
  if (stats != nullptr && counts_of(*stats, colouring) != nullptr && !counts_of(*stats, colouring)->empty()) {
    map.has_amounts = true;
    map.blocks_per_bin = stats->blocks_per_bin;
    find_range(map, *stats);
  }
  map.uncovered_blocks = map.needed.count() - smaller(map.needed, map.grid).count();

  const Lookup lookup{map, map.has_amounts ? stats : nullptr, writing_blocks(result)};
  map.idle_blocks = static_cast<uint64_t>(std::count(lookup.writes.begin(), lookup.writes.end(), false));
  uint32_t shift = 0;
  const auto too_fine = [&](uint32_t s) {
    const uint64_t side = uint64_t{1} << s, w = ceil_div(map.plane.columns, side),
                   h = ceil_div(map.plane.rows, side);
    return w > most_texels_a_side || h > most_texels_a_side || w * h > most_texels + most_texels / 4;
  };
  while (too_fine(shift)) ++shift;
  map.sampled = (uint64_t{1} << shift) > samples_a_side;
  TexelGrid grid = finest(lookup, shift);
  map.levels.push_back(painted(map, grid, shift, palette));
  while (grid.columns > 1 || grid.rows > 1) {
    grid = halved(grid);
    map.levels.push_back(painted(map, grid, ++shift, palette));
  }
  if (colouring == Colouring::blocks) map.picture = picture_beneath(result, map);
  return map;
}

const HeatLevel& level_for(const HeatMap& map, double pixels_per_cell, double pixels) {
  for (const HeatLevel& level : map.levels)
    if (std::ldexp(pixels_per_cell, static_cast<int>(level.shift)) >= pixels) return level;
  return map.levels.back();
}

}  // namespace warplens
