// Numbers of a program's data in words.
#include "app/base/number_words.h"

#include <gtest/gtest.h>

namespace warplens {
namespace THIS_FILE {

TEST(NumberWords, WholeNumbersKeepTheirDigits) {
  EXPECT_EQ(number_words(400000), "400000");
  EXPECT_EQ(number_words(4000000), "4000000");
  EXPECT_EQ(number_words(-16777216), "-16777216");
  EXPECT_EQ(number_words(0), "0");
  EXPECT_EQ(number_words(1.0 / 3), "0.333333");
  EXPECT_EQ(number_words(1e20), "1e+20");
}

TEST(NumberWords, CellsHaveRoomForThreeDigits) {
  EXPECT_EQ(cell_words("400000.0"), "400000");
  EXPECT_EQ(cell_words("4e+05"), "400000");
  EXPECT_EQ(cell_words("0.5"), "0.5");
  EXPECT_EQ(cell_words("true"), "true");
  EXPECT_EQ(cell_words("12345678"), "12345678") << "an integer of the program";
  EXPECT_EQ(cell_words("1234567.0"), "1.23 M");
  EXPECT_EQ(cell_words("12345.678"), "12346");
  EXPECT_EQ(cell_words("0.33333334"), "0.333");
  EXPECT_EQ(cell_words("-0.000012345"), "-1.2e-05");
}

}  // namespace THIS_FILE
}  // namespace warplens
