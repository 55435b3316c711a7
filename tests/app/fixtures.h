// Results like those of the virtual GPU, but made by hand, so that views can be tested without one.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/kernels/catalogue.h"
#include "core/launch/footprint.h"
#include "core/launch/run_result.h"

namespace warplens::fixture {

inline std::shared_ptr<const Bytes> share(Bytes bytes) {
  return std::make_shared<const Bytes>(std::move(bytes));
}

// "rgb" (a picture with a gradient in each channel) → "gray", one thread per pixel, as
// cuda/kernels/grayscale.cu.
struct Gray {
  uint32_t width = 64, height = 48;
  Dim3 block{16, 16, 1};
  Dim3 grid{4, 3, 1};
  RunResult result;
};

inline uint64_t writer_of(const Gray& gray, uint32_t x, uint32_t y) {
  const Dim3 block{x / gray.block.x, y / gray.block.y, 0}, thread{x % gray.block.x, y % gray.block.y, 0};
  if (block.x >= gray.grid.x || block.y >= gray.grid.y) return 0;
  return linear_index(block, gray.grid) * gray.block.count() + linear_index(thread, gray.block) + 1;
}

inline void add_block_stats(Gray& gray) {
  auto stats = std::make_shared<BlockStats>();
  stats->grid = gray.grid;
  for (uint64_t i = 0; i < gray.grid.count(); ++i) {
    stats->warp_instructions.push_back(static_cast<uint32_t>(100 + i));
    stats->divergent_branches.push_back(static_cast<uint32_t>(i % 3));
    stats->global_sectors.push_back(static_cast<uint32_t>(200 - i % 50));
  }
  gray.result.blocks = stats;
}

inline Gray make_gray(uint32_t width = 64, uint32_t height = 48, Dim3 block = {16, 16, 1},
                      Dim3 grid = {0, 0, 0}) {
  Gray gray;
  gray.width = width;
  gray.height = height;
  gray.block = block;
  gray.grid = grid.count() != 0 ? grid
                                : Dim3{static_cast<uint32_t>(ceil_div(width, block.x)),
                                       static_cast<uint32_t>(ceil_div(height, block.y)), 1};
  const size_t pixels = size_t{width} * height;
  Bytes rgb(3 * pixels), after(pixels);
  WriterMap writers{1, gray.grid, block, std::vector<uint64_t>(pixels)};
  for (uint32_t y = 0; y < height; ++y) {
    for (uint32_t x = 0; x < width; ++x) {
      const size_t i = size_t{y} * width + x;
      rgb[3 * i] = static_cast<std::byte>(x * 255 / width);
      rgb[3 * i + 1] = static_cast<std::byte>(y * 255 / height);
      rgb[3 * i + 2] = static_cast<std::byte>((x + y) % 256);
      writers.writer[i] = writer_of(gray, x, y);
      if (writers.writer[i] != 0) after[i] = static_cast<std::byte>((x * 3 + y) % 256);
    }
  }
  auto request = std::make_shared<LaunchRequest>();
  request->kernel = "grayscale";
  request->buffers = {{"rgb", rgb.size(), DType::u8, share(rgb), false, width, height, 3},
                      {"gray", pixels, DType::u8, nullptr, true, width, height, 1}};
  request->steps = {LaunchStep{"grayscale",
                               gray.grid,
                               block,
                               0,
                               false,
                               {BufferArgument{0, 0}, BufferArgument{1, 0}, ScalarArgument{DType::i32, width},
                                ScalarArgument{DType::i32, height}}}};
  gray.result.request = request;
  gray.result.shape = {gray.grid, block, 0, false};
  gray.result.entry = "grayscale";
  gray.result.outputs = {{1, share(after), std::make_shared<const WriterMap>(std::move(writers))}};
  add_block_stats(gray);
  return gray;
}

inline void count_sectors(WarpAccess& access) {
  std::vector<uint64_t> sectors, bytes;
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
    if ((access.mask >> lane & 1) == 0) continue;
    for (uint32_t i = 0; i < access.bytes_per_lane; ++i) {
      const uint64_t byte = access.offset[lane] + i;
      if (std::find(bytes.begin(), bytes.end(), byte) == bytes.end()) bytes.push_back(byte);
      if (std::find(sectors.begin(), sectors.end(), byte / 32) == sectors.end()) sectors.push_back(byte / 32);
    }
  }
  access.sectors = static_cast<uint32_t>(sectors.size());
  access.sectors_ideal = static_cast<uint32_t>(ceil_div(bytes.size(), 32));
}

// Three loads and a store per warp, for the threads inside the picture.
inline BlockFootprint make_footprint(const Gray& gray, Dim3 block) {
  BlockFootprint footprint;
  footprint.block = block;
  const uint64_t warps = ceil_div(gray.block.count(), warp_lanes);
  for (uint32_t warp = 0; warp < warps; ++warp) {
    for (uint32_t step = 0; step < 4; ++step) {
      WarpAccess access;
      access.warp = warp;
      access.kind = step < 3 ? AccessKind::load : AccessKind::store;
      access.bytes_per_lane = 1;
      access.source_line = 10 + step;
      access.ptx_line = 40 + step;
      access.buffer = step < 3 ? 0 : 1;
      access.offset = {};
      for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
        const uint64_t linear = uint64_t{warp} * warp_lanes + lane;
        if (linear >= gray.block.count()) continue;
        const Dim3 thread = position_at(linear, gray.block);
        const uint64_t x = uint64_t{block.x} * gray.block.x + thread.x,
                       y = uint64_t{block.y} * gray.block.y + thread.y;
        if (x >= gray.width || y >= gray.height) continue;
        access.mask |= 1u << lane;
        const uint64_t pixel = y * gray.width + x;
        access.offset[lane] = step < 3 ? 3 * pixel + step : pixel;
      }
      if (access.mask == 0) continue;
      count_sectors(access);
      footprint.accesses.push_back(access);
    }
  }
  return footprint;
}

inline KernelDescription gray_description() {
  KernelDescription kernel;
  kernel.name = "grayscale";
  kernel.title = "RGB → grayscale";
  for (const char* name : {"rgb", "gray", "width", "height"}) {
    KernelArgument argument;
    argument.name = name;
    kernel.arguments.push_back(argument);
  }
  kernel.index_formula = {"x = blockIdx.x * blockDim.x + threadIdx.x",
                          "y = blockIdx.y * blockDim.y + threadIdx.y", "pixel = y * width + x"};
  return kernel;
}

}  // namespace warplens::fixture
