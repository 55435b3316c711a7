#include "core/gpu/engine/cache_sample.h"

#include <gtest/gtest.h>

namespace warplens {
namespace THIS_FILE {

TEST(CacheSample, GroupsAreSpreadOverTheGridAndStayInIt) {
  for (const uint64_t blocks : {1ull, 2ull, 27ull, 28ull, 29ull, 300ull, 112'345ull}) {
    for (const uint64_t sms : {1ull, 28ull, 132ull}) {
      for (const uint64_t wanted : {1ull, 3ull, 64ull, 1000ull}) {
        const auto groups = spread_groups(blocks, sms, wanted);
        ASSERT_FALSE(groups.empty());
        uint64_t sum = 0, before = UINT64_MAX;
        for (const BlockGroup& group : groups) {
          ASSERT_GE(group.blocks, 1u);
          EXPECT_NE(group.first, before);
          before = group.first;
          EXPECT_LT(group.first + (group.blocks - 1) * sms, blocks)
              << blocks << " blocks, " << sms << " SMs, " << wanted;
          sum += group.blocks;
        }
        EXPECT_LE(sum, wanted);
      }
    }
  }
  const auto groups = spread_groups(112'000, 28, 64);
  EXPECT_EQ(groups.size(), 16u);
  EXPECT_LT(groups.front().first, 7000u);
  EXPECT_GT(groups.back().first, 105'000u) << "up to the grid's end";
}

}  // namespace THIS_FILE
}  // namespace warplens
