// The multiply-add that the web page uses, against the C library's.
#include "core/gpu/exec/ops/fma_by_double.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

namespace warplens {
namespace THIS_FILE {

bool same(float got, float want) {
  return std::bit_cast<uint32_t>(got) == std::bit_cast<uint32_t>(want) || (got != got && want != want);
}

float of_bits(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }

// Thirteen bits, so that the product of two has 25 or 26, and its last bit is often half of a float's last
// one.
float short_number(uint64_t bits) {
  return std::ldexp(static_cast<float>(4097 | (bits & 0xfff)), static_cast<int>((bits >> 12) % 40) - 32);
}

// So small compared with the product that even double loses a part of it.
float beside(float a, float b, uint64_t bits) {
  const float sign = (bits & 1) != 0 ? 1.0f : -1.0f;
  const int below = 20 + static_cast<int>((bits >> 1) % 60);
  return std::ldexp(sign * static_cast<float>(1 + ((bits >> 8) & 3)), std::ilogb(a) + std::ilogb(b) - below);
}

TEST(FmaByDouble, IsTheLibrarysToTheLastBit) {
  constexpr uint32_t rounds = 4'000'000;
  std::mt19937_64 random(7);
  uint64_t wrong = 0;
  for (uint32_t i = 0; i < rounds; ++i) {
    const uint64_t bits = random(), more = random();
    const float a = of_bits(bits), b = of_bits(bits >> 32), c = of_bits(more);
    wrong += !same(exec::fma_by_double(a, b, c), std::fma(a, b, c));
    // Few bits set, so that products and sums are often ties.
    const float few_a = of_bits(bits & 0xff818001), few_b = of_bits((bits >> 32) & 0xbf800801);
    const float few_c = of_bits(more & 0xff800003);
    wrong += !same(exec::fma_by_double(few_a, few_b, few_c), std::fma(few_a, few_b, few_c));
    const float x = short_number(bits), y = short_number(bits >> 32), z = beside(x, y, more);
    wrong += !same(exec::fma_by_double(x, y, z), std::fma(x, y, z));
    if (!std::isnormal(a) || !std::isnormal(b)) continue;
    // Results that are subnormal.
    const float small_a = std::ldexp(a, -75 - std::ilogb(a)), small_b = std::ldexp(b, -60 - std::ilogb(b));
    const float small_c = of_bits(more & 0x80000fff);
    wrong += !same(exec::fma_by_double(small_a, small_b, small_c), std::fma(small_a, small_b, small_c));
  }
  EXPECT_EQ(wrong, 0u);
}

TEST(FmaByDouble, HasZerosInfinitiesAndTheEdgesOfTheRange) {
  const std::array<uint32_t, 20> edges = {0u,          0x80000000u, 1u,          0x80000001u, 0x007fffffu,
                                          0x00800000u, 0x00800001u, 0x3f800000u, 0xbf800000u, 0x3f800001u,
                                          0x3f7fffffu, 0x7f7fffffu, 0xff7fffffu, 0x7f800000u, 0xff800000u,
                                          0x7fc00000u, 0x33800000u, 0x34000000u, 0x7effffffu, 0x00000003u};
  for (const uint32_t a : edges)
    for (const uint32_t b : edges)
      for (const uint32_t c : edges) {
        const float x = of_bits(a), y = of_bits(b), z = of_bits(c);
        EXPECT_TRUE(same(exec::fma_by_double(x, y, z), std::fma(x, y, z))) << x << ' ' << y << ' ' << z;
      }
}

}  // namespace THIS_FILE
}  // namespace warplens
