// The Occupancy view shows the results of core/device/occupancy.
#include "app/views/occupancy/model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "app/base/draw/save_picture.h"
#include "app/views/occupancy/picture.h"

namespace warplens {
namespace THIS_FILE {

OccupancyViewInput input_for(const char* device, Dim3 grid, Dim3 block, uint32_t registers,
                             uint32_t shared = 0) {
  OccupancyViewInput input;
  input.device = *find_device(device);
  input.shape = {grid, block, shared, false};
  Resources resources;
  resources.registers_per_thread = registers;
  resources.origin = ResourceOrigin::ptxas;
  input.resources = resources;
  input.refusal = check_launch(input.device, input.shape, &*input.resources);
  return input;
}

TEST(OccupancyView, NamesTheLimiterAndWhatWouldMakeRoom) {
  const OccupancyView registers = view_occupancy(input_for("3060", {100, 1, 1}, {256, 1, 1}, 64));
  EXPECT_EQ(registers.limiter, "Registers run out first.");
  EXPECT_EQ(registers.figure, "66.7 %");
  EXPECT_EQ(registers.advice, "With 48 registers a thread or fewer it would be 83.3 %.");
  const OccupancyView shared = view_occupancy(input_for("3060", {100, 1, 1}, {256, 1, 1}, 16, 30000));
  EXPECT_EQ(shared.limiter, "Shared memory runs out first.");
  const OccupancyView slots = view_occupancy(input_for("3060", {100, 1, 1}, {32, 1, 1}, 16));
  EXPECT_EQ(slots.limiter, "Block slots run out first.");
  EXPECT_EQ(slots.advice, "Blocks of 64 threads would give 66.7 %.");
  const OccupancyView full = view_occupancy(input_for("3060", {100, 1, 1}, {256, 1, 1}, 16));
  EXPECT_EQ(full.figure, "100 %");
  EXPECT_TRUE(full.advice.empty());
}

// What a run of the launch achieved is next to it; before the run there is no number.
TEST(OccupancyView, WhatIsAchievedIsModelledAndOfARun) {
  OccupancyViewInput input = input_for("3060", {28, 1, 1}, {256, 1, 1}, 16);
  EXPECT_EQ(view_occupancy(input).achieved, "");
  input.will_run = true;
  EXPECT_EQ(view_occupancy(input).achieved, "What is achieved is known after the run");
  EXPECT_EQ(view_occupancy(input).achieved_formula, "");
  input.achieved = AchievedOccupancy{8, 16.6667, "1 block × 8 warps"};
  const OccupancyView view = view_occupancy(input);
  EXPECT_EQ(view.figure, "100 %");
  EXPECT_EQ(view.achieved, "≈ 16.7 % achieved: 8 warps on average while an SM works");
  EXPECT_EQ(view.achieved_formula, "1 block × 8 warps");
  Picture picture;
  draw_occupancy_view(picture, paper_style(Theme::dark, 1), {0, 0, 1200, 900}, view, false);
  EXPECT_TRUE(std::ranges::any_of(picture.shapes, [](const Shape& shape) {
    const Text* text = std::get_if<Text>(&shape);
    return text != nullptr && text->words == "≈ modelled";
  }));
  input.refusal = LaunchRefusal{"cudaErrorInvalidConfiguration", "", {}};
  EXPECT_EQ(view_occupancy(input).achieved, "") << "nothing ran";
}

// The launch as advised; empty if there is no advice that can be applied as a number.
std::optional<OccupancyViewInput> advised(OccupancyViewInput input, const std::string& advice) {
  unsigned n = 0;
  if (advice.find("registers") != std::string::npos && std::sscanf(advice.c_str(), "With %u", &n) == 1) {
    input.resources->registers_per_thread = n;
    return input;
  }
  if (std::sscanf(advice.c_str(), "Blocks of %u threads", &n) != 1) return std::nullopt;
  input.shape.block.x = n;
  return input;
}

TEST(OccupancyView, EveryAdviceIsTrue) {
  int tried = 0;
  for (const Device& device : built_in_devices()) {
    for (const uint32_t threads : {32u, 250u, 768u}) {
      for (const uint32_t registers : {20u, 63u, 100u}) {
        OccupancyViewInput input = input_for("3060", {1000, 1, 1}, {threads, 1, 1}, registers, 5000);
        input.device = device;
        input.refusal = check_launch(device, input.shape, &*input.resources);
        const OccupancyView view = view_occupancy(input);
        const std::optional<OccupancyViewInput> better = advised(input, view.advice);
        if (!better) continue;
        ++tried;
        EXPECT_GT(occupancy_of_launch(*better).active_warps_per_sm,
                  occupancy_of_launch(input).active_warps_per_sm)
            << device.name << ": " << view.advice;
      }
    }
  }
  EXPECT_GT(tried, 50);
}

TEST(OccupancyView, TheThreePartsOfEachBarAddUp) {
  for (const Device& device : built_in_devices()) {
    for (const uint32_t threads : {1u, 31u, 33u, 100u, 256u, 1000u, 1024u}) {
      for (const uint32_t registers : {12u, 33u, 64u}) {
        OccupancyViewInput input = input_for("3060", {50, 1, 1}, {threads, 1, 1}, registers, 3000);
        input.device = device;
        input.refusal = check_launch(device, input.shape, &*input.resources);
        const OccupancyView view = view_occupancy(input);
        if (view.refused) continue;
        const Occupancy occupancy = occupancy_of_launch(input);
        ASSERT_EQ(view.bars.size(), 4u);
        for (const ResourceBar& bar : view.bars) {
          EXPECT_EQ(bar.used + bar.wasted + bar.blocked, bar.capacity) << device.name << " " << bar.name;
          EXPECT_EQ(bar.per_block * occupancy.active_blocks_per_sm, bar.used + bar.wasted) << bar.name;
        }
        EXPECT_EQ(view.bars[0].used, uint64_t{threads} * occupancy.active_blocks_per_sm);
        EXPECT_EQ(view.sm.blocks_that_fit, occupancy.active_blocks_per_sm);
      }
    }
  }
}

TEST(OccupancyView, CurvesGoThroughTodaysPoint) {
  const OccupancyViewInput input = input_for("3060", {100, 1, 1}, {256, 1, 1}, 64, 2048);
  const OccupancyView view = view_occupancy(input);
  ASSERT_EQ(view.curves.size(), 3u);
  const double today = occupancy_of_launch(input).theoretical_percent;
  for (const OccupancyCurve& curve : view.curves) {
    ASSERT_TRUE(curve.today);
    EXPECT_DOUBLE_EQ(curve.today->percent, today);
    const auto same = std::find_if(curve.points.begin(), curve.points.end(),
                                   [&](const CurvePoint& point) { return point.x == curve.today->x; });
    ASSERT_NE(same, curve.points.end()) << curve.title;
    EXPECT_DOUBLE_EQ(same->percent, today) << curve.title;
  }
}

TEST(OccupancyView, WavesHoldEveryBlockOnce) {
  for (const uint32_t blocks : {1u, 27u, 28u, 40u, 168u, 169u, 1024u, 100000u}) {
    const OccupancyView view = view_occupancy(input_for("3060", {blocks, 1, 1}, {256, 1, 1}, 16));
    const WavePlan& plan = view.waves;
    uint64_t total = 0;
    for (uint64_t wave = 0; wave < plan.waves; ++wave)
      for (uint32_t sm = 0; sm < plan.sms; ++sm) {
        EXPECT_LE(plan.on_sm(wave, sm), plan.blocks_per_sm);
        total += plan.on_sm(wave, sm);
      }
    EXPECT_EQ(total, blocks);
    EXPECT_EQ(plan.on_sm(plan.waves, 0), 0u);
    EXPECT_EQ(view.sm.blocks_here, plan.on_sm(0, 0));
  }
  EXPECT_EQ(view_occupancy(input_for("3060", {1024, 1, 1}, {256, 1, 1}, 16)).wave_words,
            "7 waves; in the last one 152 of 168 block slots stay empty");
}

TEST(OccupancyView, WhatIsNotKnownIsSaid) {
  OccupancyViewInput input = input_for("3060", {100, 1, 1}, {256, 1, 1}, 64);
  input.resources.reset();
  const OccupancyView view = view_occupancy(input);
  EXPECT_EQ(view.figure, "≤ 100 %");
  EXPECT_FALSE(view.bars[1].known);
  EXPECT_EQ(view.bars[1].words, "not known");
  EXPECT_FALSE(view.curves[1].today);
  EXPECT_NE(view.limiter.find("not known"), std::string::npos);
  const OccupancyView refused = view_occupancy(input_for("3060", {1, 1, 1}, {32, 33, 1}, 16));
  EXPECT_TRUE(refused.refused);
  EXPECT_NE(refused.reason.find("cudaErrorInvalidConfiguration"), std::string::npos);
  EXPECT_TRUE(refused.bars.empty());
}

TEST(OccupancyView, EveryDeviceHasItsBar) {
  OccupancyViewInput input = input_for("3060", {100, 1, 1}, {256, 1, 1}, 64);
  for (const Device& device : built_in_devices()) input.devices.push_back({device, input.resources});
  input.devices.back().resources.reset();
  const OccupancyView view = view_occupancy(input);
  ASSERT_EQ(view.devices.size(), built_in_devices().size());
  for (size_t i = 0; i < view.devices.size(); ++i) {
    const DeviceBar& bar = view.devices[i];
    const OccupancyInput launch{256, 64, 0, 0, 100};
    EXPECT_DOUBLE_EQ(bar.percent.value(), occupancy_of(built_in_devices()[i], launch).theoretical_percent);
    EXPECT_EQ(bar.today, bar.id == "rtx_3060");
  }
  EXPECT_TRUE(view.devices.back().estimated);
}

// The picture: bars as long as their amounts, a cell for each warp, the curve through its points.
TEST(OccupancyPicture, DrawsWhatTheViewSays) {
  OccupancyViewInput input = input_for("3060", {40, 1, 1}, {200, 1, 1}, 40, 1000);
  for (const Device& device : built_in_devices()) input.devices.push_back({device, input.resources});
  const OccupancyView view = view_occupancy(input);
  for (const auto& [width, height, scale] :
       {std::tuple{1240.f, 660.f, 1.f}, std::tuple{620.f, 400.f, 1.f}, std::tuple{700.f, 500.f, 2.5f},
        std::tuple{320.f, 240.f, 0.8f}}) {
    Picture picture;
    const Style style = paper_style(Theme::dark, scale);
    const OccupancyLayout layout = draw_occupancy_view(picture, style, {10, 20, width, height}, view, true);
    ASSERT_EQ(layout.bars.size(), view.bars.size());
    for (size_t i = 0; i < layout.bars.size(); ++i) {
      const auto& drawn = layout.bars[i];
      const ResourceBar& bar = view.bars[i];
      const double scale_x = double(drawn.track.width) / double(bar.capacity);
      EXPECT_NEAR(drawn.used.width, double(bar.used) * scale_x, 0.01);
      EXPECT_NEAR(drawn.wasted.width, double(bar.wasted) * scale_x, 0.01);
      EXPECT_NEAR(drawn.blocked.width, double(bar.blocked) * scale_x, 0.01);
      EXPECT_LE(drawn.blocked.right(), drawn.track.right() + 0.1f);
    }
    EXPECT_EQ(layout.warps.size(), size_t{view.sm.blocks_here} * view.sm.warps_per_block);
    EXPECT_EQ(layout.warps.size() + layout.empty_warps.size(), view.sm.max_warps);
    for (const auto* cells : {&layout.warps, &layout.empty_warps})
      for (const Box& cell : *cells) {
        EXPECT_FLOAT_EQ(cell.width, layout.warps[0].width) << "to scale";
        EXPECT_LE(cell.right(), 10 + width + 1);
      }
    for (size_t i = 0; i < layout.curves.size(); ++i) {
      const auto& curve = layout.curves[i];
      ASSERT_EQ(curve.points.size(), view.curves[i].points.size());
      for (size_t k = 0; k < curve.points.size(); ++k)
        EXPECT_NEAR(curve.plot.bottom() - curve.points[k].y,
                    double(curve.plot.height) * view.curves[i].points[k].percent / 100, 0.01);
    }
    for (const auto& cell : layout.waves) {
      uint64_t blocks = 0;
      for (uint32_t sm = cell.first_sm; sm < cell.first_sm + cell.sms; ++sm)
        blocks += view.waves.on_sm(cell.wave, sm);
      EXPECT_NEAR(cell.filled.width / cell.box.width,
                  double(blocks) / (double(cell.sms) * view.waves.blocks_per_sm), 1e-4);
    }
    EXPECT_GT(layout.bottom, 20);
  }
}

TEST(OccupancyView, SavesItsNumbersAsRows) {
  const OccupancyView view = view_occupancy(input_for("3060", {100, 1, 1}, {256, 1, 1}, 64));
  const Table table = occupancy_table(view);
  for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size());
  EXPECT_EQ(csv_text({{"a", "b"}, {{"x,y", "he said \"no\""}}}), "a,b\r\n\"x,y\",\"he said \"\"no\"\"\"\r\n");
}

}  // namespace THIS_FILE
}  // namespace warplens
