// Results pass on what they hold in the same way as std::expected.
#include "core/base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace warplens {
namespace THIS_FILE {

using Numbers = Result<std::vector<int>>;
static_assert(std::is_same_v<decltype(*std::declval<Numbers&>()), std::vector<int>&>);
static_assert(std::is_same_v<decltype(*std::declval<const Numbers&>()), const std::vector<int>&>);
static_assert(std::is_same_v<decltype(*std::declval<Numbers>()), std::vector<int>&&>);
static_assert(std::is_same_v<decltype(*std::declval<const Numbers>()), const std::vector<int>&&>);

TEST(Result, ThatIsNoLongerUsedGivesItsValueAway) {
  Numbers numbers = std::vector<int>{1, 2, 3};
  const int* const place = numbers->data();
  const std::vector<int> taken = *std::move(numbers);
  EXPECT_EQ(taken.data(), place) << "it was copied";
  EXPECT_EQ(taken.size(), 3u);
}

TEST(Result, HoldsWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> number = std::make_unique<int>(7);
  const std::unique_ptr<int> taken = *std::move(number);
  EXPECT_EQ(*taken, 7);
}

}  // namespace THIS_FILE
}  // namespace warplens
