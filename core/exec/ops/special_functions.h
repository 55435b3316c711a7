// One lane of the special function unit, bit for bit as an NVIDIA H200 has it: the machine instructions
// MUFU.RCP and its like, which neither take nor give subnormal numbers. What ptxas puts around them is in
// approximate.cpp. Without branches, so that the lane loops become vector code.
#pragma once

#include "core/exec/special_functions.h"

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

namespace mufu {

constexpr uint32_t sign_bit = 0x80000000u, infinity = 0x7f800000u, not_a_number = 0x7fffffffu;
constexpr uint32_t mantissa_mask = 0x007fffffu, one = 0x3f800000u;
constexpr uint32_t argument_mask = 0x1ffffu;  // the unit's argument within a segment: 17 bits

inline uint32_t either(bool condition, uint32_t yes, uint32_t no) {
  const uint32_t mask = 0u - static_cast<uint32_t>(condition);
  return (yes & mask) | (no & ~mask);
}

// x² / 2^19, of the partial products x_i · x_j · 2^(i+j) only those with i + j ≥ 18. In 8 high and 9 low
// bits: all of high · high, none of low · low, and twice what is left of high · low. In 16 bits, of which a
// vector holds more lanes.
inline uint32_t square(uint32_t x) {
  const auto high = static_cast<uint16_t>(x >> 9), low = static_cast<uint16_t>(x & 511);
  const auto term = [=](int bit) {
    return static_cast<uint16_t>((0 - (high >> bit & 1)) & (low >> (9 - bit)));
  };
  const auto crossed =
      static_cast<uint16_t>(term(1) + term(2) + term(3) + term(4) + term(5) + term(6) + term(7));
  return static_cast<uint16_t>((high * high >> 1) + crossed);
}

inline double real(int32_t x) { return static_cast<double>(x); }
inline double real(uint32_t x) { return static_cast<double>(static_cast<int32_t>(x)); }

template <size_t Segments>
inline double interpolate(const Interpolation<Segments>& table, uint32_t segment, uint32_t x) {
  const double* c0 = table.c0.data();
  const int32_t *c1 = table.c1.data(), *c2 = table.c2.data();
  return c0[segment] + real(c1[segment]) * real(x) + real(c2[segment]) * real(square(x));
}
// Segment and argument of a mantissa of 6 or 7 leading bits and 17 others.
template <size_t Segments>
inline double interpolate(const Interpolation<Segments>& table, uint32_t bits) {
  return interpolate(table, bits >> 17, bits & argument_mask);
}

// The magnitude of sum / 2^Unit, cut to the 24 bits of an f32, or to the 21 bits of an f64's upper word. The
// sum is not 0.
template <int Unit>
inline uint32_t cut(double sum) {
  const auto bits = static_cast<uint32_t>(std::bit_cast<uint64_t>(sum) >> 29);
  return bits - (static_cast<uint32_t>(1023 - 127 + Unit) << 23);
}
template <int Unit>
inline uint32_t cut_upper(double sum) {
  const auto bits = static_cast<uint32_t>(std::bit_cast<uint64_t>(sum) >> 32);
  return bits - (static_cast<uint32_t>(Unit) << 20);
}

// The layout of an f32 and of an f64's upper word, for which RCP64H and RSQ64H do the same.
struct Single {
  static constexpr uint32_t fraction_bits = 23, bias = 127, largest_exponent = 255;
  static uint32_t cut40(double sum) { return cut<40>(sum); }
};
struct Upper {
  static constexpr uint32_t fraction_bits = 20, bias = 1023, largest_exponent = 2047;
  static uint32_t cut40(double sum) { return cut_upper<40>(sum); }
};

template <class Layout>
inline uint32_t rcp(uint32_t a) {
  constexpr uint32_t bits = Layout::fraction_bits, infinite = Layout::largest_exponent << bits;
  const uint32_t exponent = a >> bits & Layout::largest_exponent, fraction = a << (23 - bits) & mantissa_mask;
  const double sum = interpolate(rcp_table, fraction >> 16, fraction << 1 & argument_mask);
  const uint32_t scaled = Layout::cut40(sum) + ((Layout::bias - exponent) << bits);
  uint32_t result = either(static_cast<int32_t>(scaled) < 1 << bits, 0, scaled);
  result = either(exponent == 0, infinite, result);
  result = either(exponent == Layout::largest_exponent, 0, result) | (a & sign_bit);
  return either((a & ~sign_bit) > infinite, not_a_number, result);
}

// Of sqrt and rsqrt: an even exponent of two, halved, and the bits of what is left, in [1, 4).
template <class Layout>
struct Halved {
  uint32_t exponent, bits;
  explicit Halved(uint32_t a) {
    const uint32_t biased = a >> Layout::fraction_bits & Layout::largest_exponent;
    exponent = ((biased + 1) >> 1) - (Layout::bias + 1) / 2;
    bits = (a << (23 - Layout::fraction_bits) & mantissa_mask) | (~biased & 1) << 23;
  }
};

template <class Layout>
inline uint32_t rsqrt(uint32_t a) {
  constexpr uint32_t bits = Layout::fraction_bits, infinite = Layout::largest_exponent << bits;
  const Halved<Layout> half(a);
  uint32_t result = Layout::cut40(interpolate(rsqrt_table, half.bits));
  result = either(half.bits == 0, Layout::bias << bits, result) - (half.exponent << bits);
  result = either(a == infinite, 0, result);
  result = either(a > infinite, not_a_number, result);
  return either((a & infinite) == 0, (a & sign_bit) | infinite, result);
}

inline uint32_t sqrt(uint32_t a) {
  const Halved<Single> half(a);
  uint32_t result = cut<40>(interpolate(sqrt_table, half.bits)) + (half.exponent << 23);
  result = either(a == infinity, infinity, result);
  result = either(a > infinity, not_a_number, result);
  return either((a & infinity) == 0, a & sign_bit, result);
}

// The argument is cut to 23 bits behind the point. Below 0, whole and fraction are those of its complement.
inline uint32_t ex2(uint32_t a) {
  const uint32_t size = a & ~sign_bit, negative = 0u - (a >> 31);
  const bool beyond = size >= 134u << 23;  // 128
  const float within = std::bit_cast<float>(either(beyond, 0, size));
  const auto fixed = static_cast<uint32_t>(static_cast<int32_t>(within * 0x1p23f));
  const uint32_t x =
      (fixed ^ negative) + (negative & static_cast<uint32_t>((fixed & mantissa_mask) != 0 ? 0 : 1));
  const uint32_t scaled = cut<38>(interpolate(ex2_table, x & mantissa_mask)) + (x & ~mantissa_mask);
  uint32_t result = either(static_cast<int32_t>(scaled) < 1 << 23, 0, scaled);
  result = either(static_cast<int32_t>(x) >= 128 << 23, infinity, result);
  result = either(beyond, infinity & ~negative, result);
  return either(size > infinity, not_a_number, result);
}

// The logarithm of the mantissa in units of 2^-38, cut to 2^-36, and the exponent; what is negative is
// complemented.
inline uint32_t lg2(uint32_t a) {
  const uint32_t exponent = a >> 23 & 255;
  const double sum = interpolate(lg2_table, a & mantissa_mask);
  const double floor = (sum * 0.25 - 0.375 + 0x1p52) - 0x1p52;
  const uint32_t below_one = static_cast<uint32_t>(exponent < 127 ? 1 : 0);
  const double value = floor + real(static_cast<int32_t>(exponent) - 127) * 0x1p36 + real(below_one);
  uint32_t result = cut<36>(value) | below_one << 31;
  result = either(a == one, 0, result);
  result = either(a == infinity, infinity, result);
  result = either(a > infinity, not_a_number, result);
  return either(exponent == 0, sign_bit | infinity, result);
}

// Of an argument in turns, cut to 2^-25: two bits say the quarter, 23 the place in it.
template <bool Cosine>
inline uint32_t sine(uint32_t a) {
  const uint32_t size = a & ~sign_bit;
  const float turns = std::bit_cast<float>(either(size >= (127u + 24) << 23, 0, size));
  const float part = turns - static_cast<float>(static_cast<int32_t>(turns));
  const uint32_t fixed =
      static_cast<uint32_t>(static_cast<int32_t>(part * 0x1p25f)) + (Cosine ? 1u << 23 : 0u);
  const uint32_t x = (fixed ^ (0u - (fixed >> 23 & 1))) & mantissa_mask;
  const uint32_t sign = ((Cosine ? 0 : a) ^ (fixed << 7)) & sign_bit;
  const uint32_t result = either(x == 0, 0, cut<37>(interpolate(sin_table, x))) | sign;
  return either(size >= infinity, not_a_number, result);
}

// From 2^-8 to 8 each power of two has its own number of segments; below, tanh x is x, and above 1.
inline uint32_t tanh(uint32_t a) {
  static constexpr uint32_t lowest = 119, highest = 129;  // exponents
  static constexpr std::array<uint32_t, 11> first{0, 1, 2, 3, 5, 7, 11, 15, 19, 27, 43};
  const uint32_t exponent = a >> 23 & 255, fraction = a & mantissa_mask;
  const uint32_t range = either(exponent - lowest > highest - lowest, 0, exponent - lowest);
  uint32_t bits = either(range < 3, fraction >> 6, fraction >> 5);
  bits = either(range > 4, fraction >> 4, bits);
  bits = either(range > 7, fraction >> 3, bits);
  bits = either(range == 9, fraction >> 2, bits);
  const uint32_t* const first_of = first.data();
  const double sum = interpolate(tanh_table, first_of[range] + (bits >> 17), bits & argument_mask);
  uint32_t result = cut<39>(sum) | (a & sign_bit);
  result = either(exponent < lowest, a, result);
  result = either(exponent > highest, (a & sign_bit) | one, result);
  return either((a & ~sign_bit) > infinity, not_a_number, result);
}

}  // namespace mufu

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE
