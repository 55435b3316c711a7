#include "app/cli/shared/values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;

TEST(CliValues, ExtentsTakeCommasAndCrosses) {
  EXPECT_EQ(*parse_extent("--block", "256"), (Dim3{256, 1, 1}));
  EXPECT_EQ(*parse_extent("--block", "16x16"), (Dim3{16, 16, 1}));
  EXPECT_EQ(*parse_extent("--block", "8,4X2"), (Dim3{8, 4, 2}));
  EXPECT_EQ(*parse_extent("--grid", "4294967295,0,1"),
            (Dim3{4294967295u, 0, 1}));  // refused later, by CUDA's rules
}

TEST(CliValues, BadExtentsNameTheOption) {
  for (const char* text : {"", ",", "16,", "x", "16xx16", "-1", "1.5", "nan", "1,2,3,4", " 16", "16 16"})
    EXPECT_THAT(parse_extent("--grid", text).ok() ? "" : parse_extent("--grid", text).error().message,
                HasSubstr(std::string("--grid ") + text))
        << text;
  EXPECT_THAT(parse_extent("--grid", "4294967296").error().message, HasSubstr("more than 4294967295"));
  EXPECT_THAT(parse_extent("--grid", "99999999999999999999999").error().message,
              HasSubstr("more than 4294967295"));
}

TEST(CliValues, CountsStayWithinTheirRange) {
  EXPECT_EQ(*parse_count("--workers", "8", 0, 1024), 8u);
  EXPECT_EQ(*parse_count("--seed", "18446744073709551615", 0, UINT64_MAX), UINT64_MAX);
  for (const char* text : {"", "-1", "1025", "18446744073709551616", "1e3", "NaN", "8 "})
    EXPECT_EQ(parse_count("--workers", text, 0, 1024).ok(), false) << text;
  EXPECT_THAT(parse_count("--repeat", "0", 1, 9).error().message,
              HasSubstr("--repeat 0: must be a whole number from 1 to 9"));
}

TEST(CliValues, SettingsAreNamesWithFiniteNumbers) {
  EXPECT_EQ(parse_setting("--set", "n=10000")->second, 10000);
  EXPECT_EQ(parse_setting("--set", "scale=-1.5e-3")->second, -1.5e-3);
  for (const char* text : {"n", "=1", "n=", "n=ten", "n=1x", "n=nan", "n=inf", "n=1e999", "n=-inf", "n= 1"})
    EXPECT_FALSE(parse_setting("--set", text).ok()) << text;
}

}  // namespace THIS_FILE
}  // namespace warplens
