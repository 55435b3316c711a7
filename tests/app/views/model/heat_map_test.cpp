#include "app/views/model/heat_map.h"

#include <gtest/gtest.h>

#include <chrono>

#include "app/base/draw/amounts.h"
#include "app/base/draw/save_picture.h"
#include "app/views/model/grid_map_picture.h"
#include "tests/app/fixtures.h"

namespace warplens {
namespace THIS_FILE {

uint32_t texel(const HeatLevel& level, uint64_t column, uint64_t row) {
  const uint8_t* p = level.raster->rgba.data() + 4 * (row * level.raster->width + column);
  return uint32_t{p[0]} << 16 | uint32_t{p[1]} << 8 | p[2];
}

TEST(HeatMap, EachCellHasTheColourOfItsCount) {
  const fixture::Gray gray = fixture::make_gray(64, 48);
  for (const Colouring colouring : {Colouring::instructions, Colouring::divergence, Colouring::sectors}) {
    const HeatMap map = build_heat_map(gray.result, Dim3{64, 48, 1}, colouring, palette_of(Theme::dark));
    ASSERT_TRUE(map.has_amounts);
    for (uint32_t block = 0; block < gray.grid.count(); ++block) {
      const Dim3 at = position_at(block, gray.grid);
      const double amount = *amount_of(*gray.result.blocks, colouring, block);
      EXPECT_EQ(texel(map.levels[0], at.x, at.y), viridis((amount - map.low) / (map.high - map.low)));
    }
  }
}

TEST(HeatMap, CoarserLevelsShowMeans) {
  const fixture::Gray gray = fixture::make_gray(64, 64);
  const HeatMap map =
      build_heat_map(gray.result, std::nullopt, Colouring::instructions, palette_of(Theme::dark));
  ASSERT_EQ(map.levels.size(), 3u);
  const std::vector<uint64_t>& counts = gray.result.blocks->warp_instructions;
  const double mean = (counts[0] + counts[1] + counts[4] + counts[5]) / 4.0;
  EXPECT_EQ(texel(map.levels[1], 0, 0), viridis((mean - map.low) / (map.high - map.low)));
  EXPECT_EQ(map.levels[2].raster->width, 1u);
}

TEST(HeatMap, MissingBlocksAreUncoveredAndIdleOnesKnown) {
  // Grid too small to the right, one row of blocks too many below.
  const fixture::Gray gray = fixture::make_gray(64, 48, {16, 16, 1}, {3, 4, 1});
  const HeatMap map =
      build_heat_map(gray.result, Dim3{64, 48, 1}, Colouring::blocks, palette_of(Theme::dark));
  EXPECT_EQ(map.idle_blocks, 3u);
  EXPECT_EQ(map.uncovered_blocks, 3u) << "the row below needs none";
  const HeatLevel& level = map.levels[0];
  EXPECT_EQ(level.states[0], BlockState::works);
  EXPECT_EQ(level.states[3], BlockState::uncovered);
  EXPECT_EQ(level.states[3 * 4], BlockState::idle);
  EXPECT_EQ(level.raster->rgba[4 * 3 + 3], 0);  // transparent over the hatch
}

TEST(HeatMap, BinsOfSeveralBlocksGiveTheirMean) {
  BlockStats stats;
  stats.grid = {10, 1, 1};
  stats.blocks_per_bin = 4;
  stats.warp_instructions = {40, 80, 30};
  EXPECT_EQ(amount_of(stats, Colouring::instructions, 0), 10.0);
  EXPECT_EQ(amount_of(stats, Colouring::instructions, 7), 20.0);
  EXPECT_EQ(amount_of(stats, Colouring::instructions, 9), 15.0);  // two blocks in the last bin
  EXPECT_EQ(amount_of(stats, Colouring::sectors, 0), std::nullopt);
}

RunResult million_blocks(uint32_t blocks) {
  RunResult result;
  result.shape = {{blocks, 1, 1}, {32, 1, 1}, 0, false};
  auto stats = std::make_shared<BlockStats>();
  stats->grid = result.shape.grid;
  stats->warp_instructions.resize(blocks);
  for (uint32_t i = 0; i < blocks; ++i) stats->warp_instructions[i] = i % 977;
  result.blocks = stats;
  return result;
}

// The frame's drawing of a million blocks is a bitmap and a bounded number of lines, at every zoom.
TEST(HeatMap, AFrameIsBoundedWithAMillionBlocks) {
  const RunResult result = million_blocks(1'000'000);
  const HeatMap map = build_heat_map(result, std::nullopt, Colouring::instructions, palette_of(Theme::dark));
  const Style style = paper_style(Theme::dark);
  MapView view;
  for (; view.zoom <= max_zoom; view.zoom *= 4) {
    Picture picture;
    draw_grid_map(picture, style, {0, 0, 1400, 900}, map, view, {Dim3{500'000, 0, 0}, std::nullopt});
    EXPECT_LT(picture.shapes.size(), 1600u) << view.zoom;
  }
}

RunResult of_blocks(uint32_t blocks, std::vector<uint64_t> instructions) {
  RunResult result;
  result.shape = {{blocks, 1, 1}, {256, 1, 1}, 0, false};
  auto stats = std::make_shared<BlockStats>();
  stats->grid = result.shape.grid;
  stats->warp_instructions = std::move(instructions);
  result.blocks = stats;
  return result;
}

TEST(HeatMap, OfEqualBlocksIsQuiet) {
  const Palette& palette = palette_of(Theme::dark);
  const HeatMap map =
      build_heat_map(of_blocks(4, {7, 7, 7, 7}), std::nullopt, Colouring::instructions, palette);
  const uint8_t* rgba = map.levels.front().raster->rgba.data();
  EXPECT_LE(std::max({rgba[0], rgba[1], rgba[2]}) - std::min({rgba[0], rgba[1], rgba[2]}), 24) << "no colour";
}

TEST(HeatMap, HatchesTheThreadsThatHaveNoElement) {
  const auto hatches = [](std::optional<Dim3> problem) {
    const HeatMap map =
        build_heat_map(of_blocks(4, {7, 7, 7, 3}), problem, Colouring::instructions, palette_of(Theme::dark));
    Picture picture;
    const MapFrame frame = draw_grid_map(picture, paper_style(Theme::dark), {0, 0, 400, 100}, map, {}, {});
    std::vector<Box> found;
    for (const Shape& shape : picture.shapes)
      if (const auto* hatch = std::get_if<Hatch>(&shape)) found.push_back(hatch->box);
    EXPECT_EQ(map.tail_threads, problem ? 1024 - problem->x : 0);
    for (const Box& box : found) EXPECT_GE(box.x, frame.box_of({3, 0}).x) << "in the last block";
    return found;
  };
  EXPECT_TRUE(hatches(std::nullopt).empty());
  EXPECT_TRUE(hatches(Dim3{1024, 1, 1}).empty());
  const std::vector<Box> tail = hatches(Dim3{3 * 256 + 64, 1, 1});
  ASSERT_EQ(tail.size(), 1u);
  EXPECT_NEAR(tail[0].width, 0.75f * 98, 2) << "three quarters of a cell";
}

TEST(HeatMap, WordsGrowWithTheCells) {
  const HeatMap map = build_heat_map(of_blocks(40, std::vector<uint64_t>(40, 7)), std::nullopt,
                                     Colouring::blocks, palette_of(Theme::dark));
  const auto size_at = [&](float zoom) {
    Picture picture;
    draw_grid_map(picture, paper_style(Theme::dark), {0, 0, 480, 300}, map, {zoom, {0.5f, 0.5f}}, {});
    float largest = 0;
    for (const Shape& shape : picture.shapes)
      if (const auto* text = std::get_if<Text>(&shape)) largest = std::max(largest, text->size);
    return largest;
  };
  EXPECT_GT(size_at(1), 0);
  EXPECT_GT(size_at(3), 1.5f * size_at(1));
}

TEST(HeatMap, NeighboursInARowAndInAColumnHaveDifferentColours) {
  const fixture::Gray gray = fixture::make_gray(512, 512, {16, 16, 1}, {32, 32, 1});
  const HeatMap map =
      build_heat_map(gray.result, Dim3{512, 512, 1}, Colouring::blocks, palette_of(Theme::dark));
  const auto colour_at = [&](size_t x, size_t y) {
    const uint8_t* rgba = map.levels[0].raster->rgba.data() + 4 * (y * 32 + x);
    return uint32_t{rgba[0]} << 16 | uint32_t{rgba[1]} << 8 | rgba[2];
  };
  EXPECT_EQ(colour_at(0, 0), group_colours[0]);
  EXPECT_EQ(colour_at(1, 0), group_colours[1]);
  EXPECT_EQ(colour_at(0, 1), group_colours[1]);
  EXPECT_EQ(colour_at(3, 6), group_colours[9 % 8]);
}

TEST(HeatMap, ThePictureLiesBeneathBlocksButNotBeneathAmounts) {
  const fixture::Gray gray = fixture::make_gray(64, 48, {16, 16, 1}, {3, 4, 1});
  const auto of = [&](Colouring colouring, std::optional<Dim3> problem) {
    return build_heat_map(gray.result, problem, colouring, palette_of(Theme::dark));
  };
  EXPECT_EQ(of(Colouring::instructions, Dim3{64, 48, 1}).picture, nullptr);
  EXPECT_EQ(of(Colouring::blocks, std::nullopt).picture, nullptr) << "where the result is to be found out";
  EXPECT_EQ(of(Colouring::blocks, Dim3{64, 40, 1}).picture, nullptr) << "another problem";
  const HeatMap map = of(Colouring::blocks, Dim3{64, 48, 1});
  ASSERT_NE(map.picture, nullptr);
  Picture picture;
  const MapFrame frame = draw_grid_map(picture, paper_style(Theme::dark), {0, 0, 400, 400}, map, {}, {});
  const auto* beneath = std::get_if<Bitmap>(&picture.shapes.at(1));
  ASSERT_NE(beneath, nullptr) << "before the hatch of missing blocks";
  EXPECT_EQ(beneath->raster, map.picture);
  const Box blocks = frame.box_of({0, 0}, 4, 3);
  EXPECT_NEAR(beneath->box.width, blocks.width, 0.1);
  EXPECT_NEAR(beneath->box.height, blocks.height, 0.1) << "48 rows are three blocks";
}

TEST(HeatMap, HugeGridsAreSampledAndSmall) {
  RunResult result;
  result.shape = {{2147483647, 65535, 65535}, {32, 1, 1}, 0, false};
  const HeatMap map = build_heat_map(result, std::nullopt, Colouring::blocks, palette_of(Theme::dark));
  EXPECT_TRUE(map.sampled);
  EXPECT_LE(uint64_t{map.levels[0].raster->width} * map.levels[0].raster->height, 2u << 20);
}

// A grid that is larger than the problem on one axis and smaller on the other.
TEST(HeatMap, CountsTheBlocksThatTheProblemNeedsAndTheGridLacks) {
  for (const auto& [grid, missing] :
       {std::pair{Dim3{16, 64, 1}, 512u}, std::pair{Dim3{20, 50, 1}, 384u}, std::pair{Dim3{32, 32, 1}, 0u},
        std::pair{Dim3{1, 1, 1}, 1023u}, std::pair{Dim3{64, 64, 1}, 0u}}) {
    const fixture::Gray gray = fixture::make_gray(512, 512, {16, 16, 1}, grid);
    const HeatMap map =
        build_heat_map(gray.result, Dim3{512, 512, 1}, Colouring::blocks, palette_of(Theme::dark));
    EXPECT_EQ(map.uncovered_blocks, missing) << grid.x << " x " << grid.y;
    const HeatLevel& level = map.levels.front();
    ASSERT_EQ(level.shift, 0u);
    EXPECT_EQ(std::ranges::count(level.states, BlockState::uncovered), missing) << grid.x << " x " << grid.y;
  }
}

}  // namespace THIS_FILE
}  // namespace warplens
