#include "core/base/nearest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens {
namespace THIS_FILE {

TEST(Nearest, ASwapIsOneEdit) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abcd", "abdc"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(Nearest, NamesThatContainItComeFirst) {
  const std::vector<std::string> names = {"Occupancy", "LaunchStats", "SourceCounters", "WarpStateStats"};
  EXPECT_THAT(nearest_names("ocupancy", names, 1), testing::ElementsAre("Occupancy"));
  EXPECT_THAT(nearest_names("counters", names, 1), testing::ElementsAre("SourceCounters"));
  EXPECT_EQ(nearest_names("x", names, 9).size(), 4u);
  EXPECT_TRUE(nearest_names("x", {}, 3).empty());
  EXPECT_EQ(nearest_names(std::string(100'000, 'a'), names).size(), 3u);
}

}  // namespace THIS_FILE
}  // namespace warplens
