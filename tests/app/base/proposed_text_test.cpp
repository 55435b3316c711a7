#include "app/base/proposed_text.h"

#include <gtest/gtest.h>

namespace warplens {
namespace THIS_FILE {

TEST(ProposedText, IsLargerOnScreensThatAreLargeOrFarAway) {
  EXPECT_EQ(proposed_text_scale(1920, 510, 1), 0) << "a usual monitor";
  EXPECT_EQ(proposed_text_scale(1366, 310, 1), 0) << "a laptop";
  EXPECT_FLOAT_EQ(proposed_text_scale(2560, 600, 1), 1.25f);
  EXPECT_FLOAT_EQ(proposed_text_scale(3840, 700, 1), 2);
  EXPECT_FLOAT_EQ(proposed_text_scale(7680, 1600, 1), 2) << "not more than that";
  EXPECT_EQ(proposed_text_scale(3840, 700, 2), 0) << "the desktop shows all twice as large";
  EXPECT_FLOAT_EQ(proposed_text_scale(1920, 1430, 1), 1.5f) << "a television of 65 inches";
  EXPECT_EQ(proposed_text_scale(1920, 0, 1), 0) << "its size is not known";
  EXPECT_EQ(proposed_text_scale(0, 0, 1), 0);
}

}  // namespace THIS_FILE
}  // namespace warplens
