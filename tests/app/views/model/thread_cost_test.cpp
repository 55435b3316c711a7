#include "app/views/model/thread_cost.h"

#include <gtest/gtest.h>

#include "app/base/draw/amounts.h"

namespace warplens {
namespace THIS_FILE {

BlockFootprint staircase() {
  BlockFootprint footprint;
  for (uint64_t thread = 0; thread < 64; ++thread)
    footprint.threads.push_back({10 + 3 * (thread % 32), thread % 32});
  return footprint;
}

TEST(ThreadCost, ReachesFromTheIdlestToTheBusiestThread) {
  const auto cost = thread_cost(staircase(), ThreadColouring::passes);
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->low, 0u);
  EXPECT_EQ(cost->high, 31u);
  EXPECT_EQ(cost->sum, 2u * 31 * 32 / 2);
  EXPECT_EQ(cost->colour_of(0), viridis(0));
  EXPECT_EQ(cost->colour_of(31), viridis(1));
  EXPECT_EQ(cost->colour_of(63), viridis(1));
  // Each warp takes 32 lanes × 31 passes; half of these are work.
  EXPECT_EQ(
      cost->sentence,
      "Threads went through loops 0 to 31 times. A warp goes on until its busiest lane is done: 50 % of "
      "its lanes' time is work.");
  EXPECT_EQ(thread_cost(staircase(), ThreadColouring::instructions)->high, 10u + 93);
}

TEST(ThreadCost, IsQuietWhereAllDoTheSame) {
  BlockFootprint same;
  same.threads.assign(40, {12, 0});
  const auto cost = thread_cost(same, ThreadColouring::instructions);
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->sentence, "Every thread executed 12 instructions.");
  EXPECT_EQ(cost->colour_of(0), cost->colour_of(39));
  EXPECT_NE(cost->colour_of(0), viridis(0));
  EXPECT_EQ(thread_cost(same, ThreadColouring::passes)->sentence, "This block went through no loop.");
  EXPECT_EQ(cost->colour_of(40), cost->colour_of(0)) << "no such thread";
}

TEST(ThreadCost, IsNotKnownWithoutCounts) {
  EXPECT_FALSE(thread_cost(BlockFootprint{}, ThreadColouring::instructions));
  EXPECT_FALSE(thread_cost(staircase(), ThreadColouring::warps));
  EXPECT_EQ(thread_cost_words(BlockFootprint{}, 0), "");
  EXPECT_EQ(thread_cost_words(staircase(), 0), "10 instructions");
  EXPECT_EQ(thread_cost_words(staircase(), 1), "13 instructions, 1 pass through a loop");
  EXPECT_EQ(thread_cost_words(staircase(), 64), "");
}

TEST(ThreadCost, ColouringsAreFoundByName) {
  for (const ThreadColouring colouring : all_thread_colourings)
    EXPECT_EQ(thread_colouring_from(name_of(colouring)), colouring);
  EXPECT_FALSE(thread_colouring_from("nothing"));
}

}  // namespace THIS_FILE
}  // namespace warplens
