#include "core/gpu/timing/achieved_occupancy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

namespace warplens {
namespace THIS_FILE {

// 4 SMs of 64 warps; a block of 8 warps, of which an SM takes 4.
RunResult ran(uint32_t blocks, BlockWork work = {}) {
  auto request = std::make_shared<LaunchRequest>();
  request->device.sms = 4;
  request->device.limits.max_warps_per_sm = 64;
  LaunchRecord record;
  record.shape.grid = {blocks, 1, 1};
  record.shape.block = {250, 1, 1};
  record.occupancy = Occupancy();
  record.occupancy->active_blocks_per_sm = 4;
  record.counters = Counters();
  record.block_work = std::move(work);
  RunResult result;
  result.request = std::move(request);
  result.launches = {std::move(record)};
  return result;
}

TEST(AchievedOccupancy, OfBlocksThatAreAlikeFollowsFromTheWaves) {
  // One block: its SM has 8 of 64 warps; SMs without work do not count.
  EXPECT_DOUBLE_EQ(achieved_occupancy(ran(1), 0)->percent, 12.5);
  EXPECT_DOUBLE_EQ(achieved_occupancy(ran(4), 0)->percent, 12.5);
  // Exactly one wave, and two: what is theoretical.
  EXPECT_DOUBLE_EQ(achieved_occupancy(ran(16), 0)->percent, 50);
  EXPECT_DOUBLE_EQ(achieved_occupancy(ran(32), 0)->percent, 50);
  // 1.5 waves: 4 blocks for the time of 4, then 2 for the time of 2: (16 + 4) / 6 blocks.
  EXPECT_DOUBLE_EQ(achieved_occupancy(ran(24), 0)->percent, 100 * (20.0 / 6) * 8 / 64);
  EXPECT_DOUBLE_EQ(achieved_occupancy(ran(24), 0)->warps, (20.0 / 6) * 8);
  EXPECT_EQ(AchievedOccupancy::source, Provenance::modelled);
}

TEST(AchievedOccupancy, TheSameWorkForEachBlockIsTheSameAsNoneCounted) {
  for (const uint32_t blocks : {1u, 3u, 4u, 15u, 16u, 17u, 24u, 63u, 64u})
    EXPECT_NEAR(achieved_occupancy(ran(blocks), 0)->percent,
                achieved_occupancy(ran(blocks, {1, std::vector<uint64_t>(blocks, 70)}), 0)->percent, 1e-9)
        << blocks;
}

TEST(AchievedOccupancy, ALongBlockHoldsItsSmAlone) {
  // The SM of the long block has two blocks for the time of 2 × 10, and then one for that of 90.
  const RunResult result = ran(8, {1, {100, 10, 10, 10, 10, 10, 10, 10}});
  const double held = 2 * 20 + 90 + 3 * (2 * 20), worked = 110 + 3 * 20;
  EXPECT_NEAR(achieved_occupancy(result, 0)->warps, held / worked * 8, 1e-9);
}

TEST(AchievedOccupancy, NothingIsMadeUpWhereNothingIsKnown) {
  EXPECT_FALSE(achieved_occupancy(ran(16), 1)) << "no such launch";
  RunResult result = ran(16);
  result.status = RunStatus::fault;
  EXPECT_FALSE(achieved_occupancy(result, 0));
  result = ran(16);
  result.launches[0].occupancy.reset();
  EXPECT_FALSE(achieved_occupancy(result, 0)) << "registers are not known";
  result = ran(16);
  result.launches[0].counters.reset();
  EXPECT_FALSE(achieved_occupancy(result, 0)) << "nothing was counted";
  EXPECT_FALSE(achieved_occupancy(ran(0), 0));
}

}  // namespace THIS_FILE
}  // namespace warplens
