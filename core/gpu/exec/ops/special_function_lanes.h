// One lane of the special function unit, with the same bits as on an NVIDIA H200: the machine instructions
// MUFU.RCP and its like, which neither accept nor return subnormal numbers. The code that ptxas puts around
// them is in approximate.cpp. There are no branches, so that the lane loops become vector code.
#pragma once

#include "core/gpu/exec/ops/special_functions.h"

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

namespace mufu {

constexpr uint32_t sign_bit = 0x80000000u, infinity = 0x7f800000u, not_a_number = 0x7fffffffu;
constexpr uint32_t mantissa_mask = 0x007fffffu, one = 0x3f800000u;
constexpr uint32_t argument_mask = 0x1ffffu;  // the unit's argument within a segment: 17 bits

inline uint32_t either(bool condition, uint32_t yes, uint32_t no) {
  const uint32_t mask = 0u - static_cast<uint32_t>(condition);
  return (yes & mask) | (no & ~mask);
}

// x² / 2^19, from only those partial products x_i · x_j · 2^(i+j) that have i + j ≥ 18. It uses the 8 high
// and the 9 low bits: all of high · high, none of low · low, and twice the rest of high · low. The lowest bit
// is in no product, so 16 bits are enough, of which a vector holds more lanes.
inline uint32_t square(uint32_t x) {
  const auto half = static_cast<uint16_t>(x >> 1);
  const auto high = static_cast<uint16_t>(half >> 8), low = static_cast<uint16_t>(half & 255);
  const auto term = [=](int bit) {
    return static_cast<uint16_t>((0 - (high >> bit & 1)) & (low >> (8 - bit)));
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
// The magnitude of sum / 2^Unit, cut to the 24 bits of an f32. The sum is not 0, so these are its leading
// bits as an f64.
inline uint32_t leading(double sum) { return static_cast<uint32_t>(std::bit_cast<uint64_t>(sum) >> 29); }
template <int Unit>
inline uint32_t cut(uint32_t leading) {
  return leading - (static_cast<uint32_t>(1023 - 127 + Unit) << 23);
}
// As above, for the 21 bits of an f64's upper word.
template <int Unit>
inline uint32_t cut_upper(uint32_t leading) {
  return leading - (static_cast<uint32_t>(Unit) << 20);
}

// The layout of an f32, and the layout of an f64's upper word, on which RCP64H and RSQ64H work in the same
// way.
struct Single {
  static constexpr uint32_t fraction_bits = 23, bias = 127, largest_exponent = 255;
  static uint32_t leading(double sum) { return mufu::leading(sum); }
  static uint32_t cut40(uint32_t leading) { return cut<40>(leading); }
};
struct Upper {
  static constexpr uint32_t fraction_bits = 20, bias = 1023, largest_exponent = 2047;
  static uint32_t leading(double sum) { return static_cast<uint32_t>(std::bit_cast<uint64_t>(sum) >> 32); }
  static uint32_t cut40(uint32_t leading) { return cut_upper<40>(leading); }
};

// A function of the unit: the position of an argument in a table, and the result that is made from the sum.
struct Place {
  uint32_t segment, x;
  // From a mantissa of 6 or 7 leading bits and 17 others.
  static Place of(uint32_t bits) { return {bits >> 17, bits & argument_mask}; }
};

template <class Layout>
struct Rcp {
  using Sum = Layout;
  static constexpr const auto& table = rcp_table;
  static Place place(uint32_t a) {
    const uint32_t fraction = a << (23 - Layout::fraction_bits) & mantissa_mask;
    return {fraction >> 16, fraction << 1 & argument_mask};
  }
  static uint32_t result(uint32_t a, uint32_t leading) {
    constexpr uint32_t bits = Layout::fraction_bits, infinite = Layout::largest_exponent << bits;
    const uint32_t exponent = a >> bits & Layout::largest_exponent;
    const uint32_t scaled = Layout::cut40(leading) + ((Layout::bias - exponent) << bits);
    uint32_t result = either(static_cast<int32_t>(scaled) < 1 << bits, 0, scaled);
    result = either(exponent == 0, infinite, result);
    result = either(exponent == Layout::largest_exponent, 0, result) | (a & sign_bit);
    return either((a & ~sign_bit) > infinite, not_a_number, result);
  }
};

// For sqrt and rsqrt: halves an even power of two; the remaining bits are in [1, 4).
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
struct Rsqrt {
  using Sum = Layout;
  static constexpr const auto& table = rsqrt_table;
  static Place place(uint32_t a) { return Place::of(Halved<Layout>(a).bits); }
  static uint32_t result(uint32_t a, uint32_t leading) {
    constexpr uint32_t bits = Layout::fraction_bits, infinite = Layout::largest_exponent << bits;
    const Halved<Layout> half(a);
    uint32_t result = either(half.bits == 0, Layout::bias << bits, Layout::cut40(leading));
    result = either(a == infinite, 0, result - (half.exponent << bits));
    result = either(a > infinite, not_a_number, result);
    return either((a & infinite) == 0, (a & sign_bit) | infinite, result);
  }
};

struct Sqrt {
  using Sum = Single;
  static constexpr const auto& table = sqrt_table;
  static Place place(uint32_t a) { return Place::of(Halved<Single>(a).bits); }
  static uint32_t result(uint32_t a, uint32_t leading) {
    uint32_t result = cut<40>(leading) + (Halved<Single>(a).exponent << 23);
    result = either(a == infinity, infinity, result);
    result = either(a > infinity, not_a_number, result);
    return either((a & infinity) == 0, a & sign_bit, result);
  }
};

struct Ex2 {
  using Sum = Single;
  static constexpr const auto& table = ex2_table;
  static constexpr uint32_t limit = 134u << 23;  // 128: beyond it, the result is 0 or infinite
  // Cut to 23 fractional bits. For a negative argument, whole and fraction are those of its complement.
  static uint32_t fixed_point(uint32_t a) {
    const uint32_t size = a & ~sign_bit, negative = 0u - (a >> 31);
    const float within = std::bit_cast<float>(either(size >= limit, 0, size));
    const auto fixed = static_cast<uint32_t>(static_cast<int32_t>(within * 0x1p23f));
    return (fixed ^ negative) + (negative & static_cast<uint32_t>((fixed & mantissa_mask) != 0 ? 0 : 1));
  }
  static Place place(uint32_t a) { return Place::of(fixed_point(a) & mantissa_mask); }
  static uint32_t result(uint32_t a, uint32_t leading) {
    const uint32_t x = fixed_point(a), size = a & ~sign_bit;
    const uint32_t scaled = cut<38>(leading) + (x & ~mantissa_mask);
    uint32_t result = either(static_cast<int32_t>(scaled) < 1 << 23, 0, scaled);
    result = either(static_cast<int32_t>(x) >= 128 << 23, infinity, result);
    result = either(size >= limit, infinity & ~(0u - (a >> 31)), result);
    return either(size > infinity, not_a_number, result);
  }
};

// For an argument in turns, cut to 2^-25: two bits select the quarter, 23 the position in it.
template <bool Cosine>
struct Sine {
  using Sum = Single;
  static constexpr const auto& table = sin_table;
  static uint32_t fixed_point(uint32_t a) {
    const uint32_t size = a & ~sign_bit;
    const float turns = std::bit_cast<float>(either(size >= (127u + 24) << 23, 0, size));
    const float part = turns - static_cast<float>(static_cast<int32_t>(turns));
    return static_cast<uint32_t>(static_cast<int32_t>(part * 0x1p25f)) + (Cosine ? 1u << 23 : 0u);
  }
  static uint32_t in_quarter(uint32_t fixed) { return (fixed ^ (0u - (fixed >> 23 & 1))) & mantissa_mask; }
  static Place place(uint32_t a) { return Place::of(in_quarter(fixed_point(a))); }
  static uint32_t result(uint32_t a, uint32_t leading) {
    const uint32_t fixed = fixed_point(a), sign = ((Cosine ? 0 : a) ^ (fixed << 7)) & sign_bit;
    const uint32_t result = either(in_quarter(fixed) == 0, 0, cut<37>(leading)) | sign;
    return either((a & ~sign_bit) >= infinity, not_a_number, result);
  }
};

// From 2^-8 to 8, each power of two has its own number of segments. Below, tanh x is x; above, it is 1.
struct Tanh {
  using Sum = Single;
  static constexpr const auto& table = tanh_table;
  static constexpr uint32_t lowest = 119, highest = 129;  // exponents
  static constexpr std::array<uint32_t, 11> first{0, 1, 2, 3, 5, 7, 11, 15, 19, 27, 43};
  static Place place(uint32_t a) {
    const uint32_t exponent = a >> 23 & 255, fraction = a & mantissa_mask;
    const uint32_t range = either(exponent - lowest > highest - lowest, 0, exponent - lowest);
    uint32_t bits = either(range < 3, fraction >> 6, fraction >> 5);
    bits = either(range > 4, fraction >> 4, bits);
    bits = either(range > 7, fraction >> 3, bits);
    bits = either(range == 9, fraction >> 2, bits);
    const uint32_t* const first_of = first.data();
    return {first_of[range] + (bits >> 17), bits & argument_mask};
  }
  static uint32_t result(uint32_t a, uint32_t leading) {
    const uint32_t exponent = a >> 23 & 255;
    uint32_t result = cut<39>(leading) | (a & sign_bit);
    result = either(exponent < lowest, a, result);
    result = either(exponent > highest, (a & sign_bit) | one, result);
    return either((a & ~sign_bit) > infinity, not_a_number, result);
  }
};

template <class F>
inline uint32_t value(uint32_t a) {
  const Place place = F::place(a);
  return F::result(a, F::Sum::leading(interpolate(F::table, place.segment, place.x)));
}

// The logarithm of the mantissa in units of 2^-38, cut to 2^-36, plus the exponent; negative values are
// complemented. Here the sum itself is cut, so the result does not depend only on its leading bits.
struct Lg2 {};
template <>
inline uint32_t value<Lg2>(uint32_t a) {
  const uint32_t exponent = a >> 23 & 255;
  const Place place = Place::of(a & mantissa_mask);
  const double sum = interpolate(lg2_table, place.segment, place.x);
  const double floor = (sum * 0.25 - 0.375 + 0x1p52) - 0x1p52;
  const uint32_t below_one = static_cast<uint32_t>(exponent < 127 ? 1 : 0);
  const double value = floor + real(static_cast<int32_t>(exponent) - 127) * 0x1p36 + real(below_one);
  uint32_t result = cut<36>(leading(value)) | below_one << 31;
  result = either(a == one, 0, result);
  result = either(a == infinity, infinity, result);
  result = either(a > infinity, not_a_number, result);
  return either(exponent == 0, sign_bit | infinity, result);
}

// The leading bits of the sums of a warp, as those of an f32.
#if defined(__x86_64__) && WARPLENS_ISA_CODE == 2
using Words = uint16_t __attribute__((vector_size(64)));
using HalfOfWords = uint16_t __attribute__((vector_size(32)));
using Doublewords = uint32_t __attribute__((vector_size(64)));
using Quadwords = uint64_t __attribute__((vector_size(64)));

// Two registers hold 32 coefficients, so a lane finds its own without a load from memory.
template <size_t Segments>
inline __m512i coefficients(const std::array<int32_t, Segments>& of, Doublewords segment) {
  __m512i found = _mm512_setzero_si512();
  const auto lanes = reinterpret_cast<__m512i>(segment), part = reinterpret_cast<__m512i>(segment >> 5);
  for (size_t i = 0; i < Segments; i += 32) {
    const auto last = static_cast<__mmask16>(Segments - i >= 32 ? 0xffff : (1u << (Segments - i - 16)) - 1);
    const __m512i low = _mm512_loadu_si512(&of[i]), high = _mm512_maskz_loadu_epi32(last, &of[i + 16]);
    const __mmask16 here = _mm512_cmpeq_epi32_mask(part, _mm512_set1_epi32(static_cast<int>(i / 32)));
    found = _mm512_mask_mov_epi32(found, here, _mm512_permutex2var_epi32(low, lanes, high));
  }
  return found;
}

// `square` for 32 lanes, in 16 bits each.
inline Words squares(Doublewords x0, Doublewords x1) {
  const HalfOfWords halves[2] = {__builtin_convertvector(x0 >> 1, HalfOfWords),
                                 __builtin_convertvector(x1 >> 1, HalfOfWords)};
  Words half;
  std::memcpy(&half, halves, sizeof half);
  const Words high = half >> 8, low = half & 255;
  auto sum = reinterpret_cast<__m512i>(high * high >> 1);
  for (int bit = 1; bit < 8; ++bit) {
    const __m512i weight = _mm512_set1_epi16(static_cast<int16_t>(1 << bit));
    const __mmask32 is_set = _mm512_test_epi16_mask(reinterpret_cast<__m512i>(high), weight);
    sum = _mm512_mask_add_epi16(sum, is_set, sum, reinterpret_cast<__m512i>(low >> (8 - bit)));
  }
  return reinterpret_cast<Words>(sum);
}

inline Quadwords product(Quadwords a, Quadwords b) {
  return reinterpret_cast<Quadwords>(
      _mm512_maskz_mul_epi32(0xff, reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
}
// c0 + c1 · x + c2 · square for the eight even lanes.
template <size_t Segments>
inline Quadwords sums(const Interpolation<Segments>& table, Quadwords segment, Quadwords c1, Quadwords x,
                      Quadwords c2, Quadwords square) {
  const __m512d c0 = _mm512_mask_i64gather_pd(_mm512_setzero_pd(), 0xff, reinterpret_cast<__m512i>(segment),
                                              table.c0.data(), 8);
  const Quadwords rest = product(c1, x) + product(c2, square);
  return reinterpret_cast<Quadwords>(c0 + _mm512_cvtepi64_pd(reinterpret_cast<__m512i>(rest)));
}

template <size_t Segments>
inline Doublewords leading_of_sums(const Interpolation<Segments>& table, Doublewords segments, Doublewords xs,
                                   Doublewords squares) {
  const auto c1 = reinterpret_cast<Quadwords>(coefficients(table.c1, segments));
  const auto c2 = reinterpret_cast<Quadwords>(coefficients(table.c2, segments));
  const auto segment = reinterpret_cast<Quadwords>(segments), x = reinterpret_cast<Quadwords>(xs),
             square = reinterpret_cast<Quadwords>(squares);
  const Quadwords even = sums(table, segment & 0xffffffff, c1, x, c2, square) >> 29;
  const Quadwords odd = sums(table, segment >> 32, c1 >> 32, x >> 32, c2 >> 32, square >> 32) << 3;
  return reinterpret_cast<Doublewords>((even & 0xffffffff) | (odd & 0xffffffff00000000));
}
template <size_t Segments>
inline void leading_bits(const Interpolation<Segments>& table, const uint32_t* segment, const uint32_t* x,
                         uint32_t* leading) {
  Doublewords segments[2], xs[2], found[2];
  std::memcpy(segments, segment, sizeof segments);
  std::memcpy(xs, x, sizeof xs);
  HalfOfWords square[2];
  const Words both = squares(xs[0], xs[1]);
  std::memcpy(square, &both, sizeof square);
  for (int i = 0; i < 2; ++i)
    found[i] = leading_of_sums(table, segments[i], xs[i], __builtin_convertvector(square[i], Doublewords));
  std::memcpy(leading, found, sizeof found);
}
#else
template <size_t Segments>
inline void leading_bits(const Interpolation<Segments>& table, const uint32_t* segment, const uint32_t* x,
                         uint32_t* bits) {
  WARPLENS_LANES
  for (uint32_t lane = 0; lane < warp_lanes; ++lane)
    bits[lane] = leading(interpolate(table, segment[lane], x[lane]));
}
#endif

}  // namespace mufu

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE
