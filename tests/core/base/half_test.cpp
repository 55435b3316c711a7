#include "core/base/half.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <random>

namespace warplens {
namespace THIS_FILE {

TEST(Half, RoundsOnceToNearestEven) {
  EXPECT_EQ(f16_of(0.0), 0x0000);
  EXPECT_EQ(f16_of(-0.0), 0x8000);
  EXPECT_EQ(f16_of(1.0), 0x3c00);
  EXPECT_EQ(f16_of(-2.0), 0xc000);
  EXPECT_EQ(f16_of(65504.0), 0x7bff);
  EXPECT_EQ(f16_of(65519.9), 0x7bff);
  EXPECT_EQ(f16_of(65520.0), 0x7c00);
  EXPECT_EQ(f16_of(std::ldexp(1.0, -24)), 0x0001);
  EXPECT_EQ(f16_of(std::ldexp(1.0, -25)), 0x0000);  // halfway to even
  EXPECT_EQ(f16_of(std::ldexp(3.0, -25)), 0x0002);
  EXPECT_EQ(f16_of(std::ldexp(1.0, -14)), 0x0400);
  EXPECT_EQ(f16_of(std::ldexp(1023.0, -24)), 0x03ff);
  EXPECT_EQ(f16_of(1.0 + std::ldexp(1.0, -11)), 0x3c00);
  EXPECT_EQ(f16_of(1.0 + std::ldexp(3.0, -11)), 0x3c02);
  EXPECT_EQ(f16_of(2047.9), 0x6800);  // carries into the exponent
  EXPECT_EQ(f16_of(HUGE_VAL), 0x7c00);
  EXPECT_EQ(f16_of(std::nan("")), 0x7fff);
}

// Widening and rounding back gives the same bits, for every number that is not NaN.
template <SmallFloat Format>
void expect_round_trip() {
  for (uint32_t bits = 0; bits < 2 * Format.sign(); ++bits) {
    const float value = widen<Format>(bits);
    if ((bits & (Format.sign() - 1)) > Format.largest && !std::isinf(value)) {
      EXPECT_TRUE(std::isnan(value)) << bits;
      EXPECT_EQ(narrow<Format>(value), Format.nan) << bits;
    } else {
      EXPECT_EQ(narrow<Format>(value), bits);
      EXPECT_EQ(narrow<Format>(static_cast<double>(value), true),
                std::isinf(value) ? (bits & Format.sign()) | Format.largest : bits);
    }
  }
}

TEST(Half, EveryNumberSurvivesWidening) {
  expect_round_trip<f16_format>();
  expect_round_trip<bf16_format>();
  expect_round_trip<tf32_format>();
  expect_round_trip<e4m3_format>();
  expect_round_trip<e5m2_format>();
}

// Between two neighbours, each mode takes the one that its name says.
template <SmallFloat Format>
void expect_modes() {
  for (uint32_t low = 0; low < Format.largest; ++low) {
    const double a = double{widen<Format>(low)}, b = double{widen<Format>(low + 1)}, middle = (a + b) / 2;
    const double below = std::nextafter(middle, a), above = std::nextafter(middle, b);
    ASSERT_EQ(narrow<Format>(below), low);
    ASSERT_EQ(narrow<Format>(middle), low + (low & 1));
    ASSERT_EQ(narrow<Format>(above), low + 1);
    ASSERT_EQ(narrow<Format>(-middle), Format.sign() | (low + (low & 1)));
    ASSERT_EQ((narrow<Format, Rounding::nearest_away>(middle)), low + 1);
    ASSERT_EQ((narrow<Format, Rounding::nearest_away>(below)), low);
    ASSERT_EQ((narrow<Format, Rounding::zero>(above)), low);
    ASSERT_EQ((narrow<Format, Rounding::down>(above)), low);
    ASSERT_EQ((narrow<Format, Rounding::down>(-below)), Format.sign() | (low + 1));
    ASSERT_EQ((narrow<Format, Rounding::up>(below)), low + 1);
    ASSERT_EQ((narrow<Format, Rounding::up>(-above)), Format.sign() | low);
  }
}

TEST(Half, ModesRoundBetweenNeighbours) {
  expect_modes<f16_format>();
  expect_modes<bf16_format>();
  expect_modes<e4m3_format>();
  expect_modes<e5m2_format>();
}

TEST(Half, OverflowGoesWhereTheModeSays) {
  EXPECT_EQ(f16_of<Rounding::zero>(1e9), 0x7bff);
  EXPECT_EQ(f16_of<Rounding::zero>(HUGE_VAL), 0x7c00);
  EXPECT_EQ(f16_of<Rounding::down>(1e9), 0x7bff);
  EXPECT_EQ(f16_of<Rounding::down>(-1e9), 0xfc00);
  EXPECT_EQ(f16_of<Rounding::up>(-1e9), 0xfbff);
  EXPECT_EQ(f16_of(-HUGE_VAL, true), 0xfbff);
  EXPECT_EQ(e4m3_of(464.0), 0x7e);
  EXPECT_EQ(e4m3_of(-1e30), 0xfe);
  EXPECT_EQ(e4m3_of(std::nan("")), 0x7f);
  EXPECT_EQ(e5m2_of(HUGE_VAL), 0x7b);
  EXPECT_TRUE(f16_overflows(-65520.0));
  EXPECT_FALSE(f16_overflows(65519.9));
  EXPECT_FALSE(f16_overflows(HUGE_VAL));
  EXPECT_EQ(f16_of(5e-324), 0x0000);
  EXPECT_EQ(f16_of<Rounding::up>(5e-324), 0x0001);
}

// tf32 is f32 with 13 bits less, so an f32 rounds to it as it would to any shorter mantissa.
TEST(Half, Tf32KeepsTheUpperBitsOfF32) {
  EXPECT_EQ(tf32_of<Rounding::zero>(1.9999999f), 0x3fffe000u);
  EXPECT_EQ(tf32_of(1.9999999f), 0x40000000u);
  EXPECT_EQ(tf32_of(std::nan("")), 0x7fffe000u);
  EXPECT_EQ(float_of_tf32(0x3f801fff), 1.0f);
}

}  // namespace THIS_FILE
}  // namespace warplens
