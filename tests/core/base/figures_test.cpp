#include "core/base/figures.h"

#include <gtest/gtest.h>

#include <limits>

namespace warplens {
namespace THIS_FILE {

TEST(Figures, SeparatesThousands) {
  EXPECT_EQ(thousands(0), "0");
  EXPECT_EQ(thousands(999), "999");
  EXPECT_EQ(thousands(1000), "1,000");
  EXPECT_EQ(thousands(262144), "262,144");
  EXPECT_EQ(thousands(UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST(Figures, KeepsThreeSignificantDigits) {
  EXPECT_EQ(three_digits(0), "0");
  EXPECT_EQ(three_digits(0.0123456), "0.0123");
  EXPECT_EQ(three_digits(1.5), "1.5");
  EXPECT_EQ(three_digits(4), "4");
  EXPECT_EQ(three_digits(99.96), "100");
  EXPECT_EQ(three_digits(1234.5), "1,230");
  EXPECT_EQ(three_digits(-2.345), "-2.35");
  EXPECT_EQ(three_digits(1e-9), "1 × 10⁻⁹");
  EXPECT_EQ(three_digits(std::numeric_limits<double>::infinity()), "∞");
  EXPECT_EQ(three_digits(54684.4), "54,700");
  EXPECT_EQ(three_digits(std::numeric_limits<double>::quiet_NaN()), "not a number");
}

TEST(Figures, ChoosesUnits) {
  EXPECT_EQ(byte_size_text(512), "512 B");
  EXPECT_EQ(byte_size_text(49152), "48 KiB");
  EXPECT_EQ(byte_size_text(uint64_t{3} << 30), "3 GiB");
  EXPECT_EQ(duration_text(0.0141), "14.1 ms");
  EXPECT_EQ(duration_text(2.5e-6), "2.5 µs");
  EXPECT_EQ(duration_text(3e-9), "3 ns");
  EXPECT_EQ(duration_text(2.05), "2.05 s");
}

}  // namespace THIS_FILE
}  // namespace warplens
