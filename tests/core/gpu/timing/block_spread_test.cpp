#include "core/gpu/timing/block_spread.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace warplens {
namespace THIS_FILE {

BlockSpread spread(std::vector<uint64_t> cells, uint32_t sms, uint32_t active, uint64_t per_cell = 1) {
  return block_spread({per_cell, std::move(cells)}, sms, active);
}

// Blocks of the same work end together, and the remaining ones are given to the SMs in turn.
TEST(BlockSpread, EvenWorkIsSharedInRounds) {
  for (const uint64_t blocks : {1, 5, 132, 133, 1056, 2304, 16384}) {
    const BlockSpread even = spread(std::vector<uint64_t>(blocks, 7), 132, 8);
    const double busiest = double((blocks + 131) / 132);
    EXPECT_NEAR(even.busiest_share, busiest / double(blocks), 1e-9) << blocks;
    EXPECT_DOUBLE_EQ(even.longest, 1);
  }
}

TEST(BlockSpread, TheLongestBlockHoldsUpItsSm) {
  // SM 0 has the blocks of 1 and 1, SM 1 those of 1 and 10, which share it until the first is done.
  const BlockSpread one = spread({1, 1, 1, 10}, 2, 2);
  EXPECT_NEAR(one.busiest_share, 11.0 / 13, 1e-9);
  EXPECT_NEAR(one.longest, 10 / (13.0 / 4), 1e-9);
  // The first SM with room gets the next block: the SM of the long block gets none.
  EXPECT_NEAR(spread({10, 1, 1, 1, 1}, 2, 1).busiest_share, 10.0 / 14, 1e-9);
  EXPECT_NEAR(spread({1, 1, 1, 1, 10}, 2, 1).busiest_share, 12.0 / 14, 1e-9);
}

TEST(BlockSpread, NothingToDoAndNoRoom) {
  EXPECT_DOUBLE_EQ(spread({}, 4, 2).busiest_share, 0.25);
  EXPECT_DOUBLE_EQ(spread({0, 0, 0}, 4, 2).busiest_share, 0.25);
  EXPECT_DOUBLE_EQ(spread({3}, 0, 2).busiest_share, 1);
  EXPECT_DOUBLE_EQ(spread({3, 3}, 1, 0).busiest_share, 1);
  EXPECT_DOUBLE_EQ(spread({5}, 132, 2).busiest_share, 1);
}

// The SM that ends last has at least its share, and at most what a greedy schedule may leave: that and the
// longest block as often as blocks share an SM.
TEST(BlockSpread, IsWithinTheBoundsOfAGreedySchedule) {
  uint64_t state = 1;
  const auto random = [&] { return (state = state * 6364136223846793005u + 1442695040888963407u) >> 40; };
  for (int turn = 0; turn < 200; ++turn) {
    const auto sms = static_cast<uint32_t>(1 + random() % 40),
               active = static_cast<uint32_t>(1 + random() % 16);
    std::vector<uint64_t> cells(1 + random() % 500);
    for (uint64_t& cell : cells) cell = 1 + random() % 1000;
    const double sum = double(std::accumulate(cells.begin(), cells.end(), uint64_t{0}));
    const BlockSpread one = spread(cells, sms, active);
    const double longest = one.longest * sum / double(cells.size());
    EXPECT_GE(one.busiest_share, 1.0 / sms);
    EXPECT_LE(one.busiest_share, 1.0 / sms + active * longest / sum + 1e-9);
  }
}

}  // namespace THIS_FILE
}  // namespace warplens
