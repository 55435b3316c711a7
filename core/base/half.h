// Floats of less than 32 bits, as GPUs know them: f16 (IEEE 754 binary16), bf16, tf32, and the 8-bit e4m3 and
// e5m2. Rounding works on integers, so it needs no floating-point environment and runs at compile time.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace warplens {

enum class Rounding : uint8_t { nearest_even, nearest_away, zero, down, up };

// A format of 1 + exponent_bits + mantissa_bits bits.
struct SmallFloat {
  int exponent_bits, mantissa_bits;
  uint32_t largest;   // finite magnitude
  uint32_t infinity;  // the result of an overflow: NaN in e4m3, which has no infinity
  uint32_t nan;       // the bits of the NaN that GPUs return

  constexpr int bits() const { return 1 + exponent_bits + mantissa_bits; }
  constexpr uint32_t sign() const { return 1u << (bits() - 1); }
  constexpr int lowest_exponent() const { return 2 - (1 << (exponent_bits - 1)); }  // of normal numbers
};

inline constexpr SmallFloat f16_format{5, 10, 0x7bff, 0x7c00, 0x7fff};
inline constexpr SmallFloat bf16_format{8, 7, 0x7f7f, 0x7f80, 0x7fff};
inline constexpr SmallFloat tf32_format{8, 10, 0x3fbff, 0x3fc00, 0x3ffff};  // the upper 19 bits of a register
inline constexpr SmallFloat e4m3_format{4, 3, 0x7e, 0x7f, 0x7f};
inline constexpr SmallFloat e5m2_format{5, 2, 0x7b, 0x7c, 0x7f};

// The value in the format, rounded once. With `saturate`, a value that overflows becomes the largest finite
// number; so does an infinity.
template <SmallFloat Format, Rounding Mode = Rounding::nearest_even>
constexpr uint32_t narrow(double value, bool saturate = false) {
  constexpr int mantissa = Format.mantissa_bits;
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  const uint64_t magnitude = bits & ~(uint64_t{1} << 63);
  const bool negative = magnitude != bits;
  const uint32_t sign = negative ? Format.sign() : 0;
  constexpr uint64_t infinite = uint64_t{0x7ff} << 52;
  // Doubles below their own normal range are far below half of any format's smallest number.
  const int64_t exponent = static_cast<int64_t>(magnitude >> 52) - 1023;
  const uint64_t implicit = exponent == -1023 ? 0 : uint64_t{1} << 52;
  const uint64_t significand = (magnitude & ((uint64_t{1} << 52) - 1)) | implicit;
  const int64_t above = exponent - Format.lowest_exponent();
  const int64_t wanted = 52 - mantissa - (above < 0 ? above : 0);
  const int64_t shift = wanted > 60 ? 60 : wanted;
  const uint64_t kept = significand >> shift;
  const uint64_t rest = significand & ((uint64_t{1} << shift) - 1), half = uint64_t{1} << (shift - 1);
  bool up = false;
  if constexpr (Mode == Rounding::nearest_even) up = rest > half || (rest == half && (kept & 1) != 0);
  if constexpr (Mode == Rounding::nearest_away) up = rest >= half;
  if constexpr (Mode == Rounding::down) up = negative && rest != 0;
  if constexpr (Mode == Rounding::up) up = !negative && rest != 0;
  // A carry runs over into the exponent, as the format's order of bits intends.
  const uint64_t result = kept + (up ? 1 : 0) + (static_cast<uint64_t>(above > 0 ? above : 0) << mantissa);
  const bool toward_zero =
      Mode == Rounding::zero || (Mode == Rounding::down && !negative) || (Mode == Rounding::up && negative);
  uint32_t finite = static_cast<uint32_t>(result);
  if (result > Format.largest) {
    finite = saturate || (toward_zero && magnitude != infinite) ? Format.largest : Format.infinity;
  }
  return magnitude > infinite ? Format.nan : sign | finite;
}

// The value of a number in the format. It is exact, because every such number fits into f32. A NaN keeps its
// sign and payload.
template <SmallFloat Format>
constexpr float widen(uint32_t bits) {
  const uint32_t magnitude = bits & (Format.sign() - 1);
  const uint32_t sign = bits & Format.sign() ? 0x80000000u : 0;
  constexpr int shift = 23 - Format.mantissa_bits;
  float value = std::bit_cast<float>(magnitude << shift);
  if constexpr (Format.exponent_bits != 8) {
    // The exponent biases of the two formats differ by this power of two. The product is exact, for
    // subnormals too.
    constexpr uint32_t scale = static_cast<uint32_t>(127 + 127 - ((1 << (Format.exponent_bits - 1)) - 1))
                               << 23;
    value *= std::bit_cast<float>(scale);
    if (magnitude > Format.largest) value = std::bit_cast<float>(magnitude << shift | 0x7f800000u);
  }
  return std::bit_cast<float>(std::bit_cast<uint32_t>(value) | sign);
}

constexpr float float_of_f16(uint16_t bits) { return widen<f16_format>(bits); }
constexpr float float_of_bf16(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }
constexpr float float_of_e4m3(uint8_t bits) { return widen<e4m3_format>(bits); }
constexpr float float_of_e5m2(uint8_t bits) { return widen<e5m2_format>(bits); }
// Tensor cores read only the upper 19 bits of a register.
constexpr float float_of_tf32(uint32_t bits) { return std::bit_cast<float>(bits & 0xffffe000u); }

template <Rounding Mode = Rounding::nearest_even>
constexpr uint16_t f16_of(double value, bool saturate = false) {
  return static_cast<uint16_t>(narrow<f16_format, Mode>(value, saturate));
}
template <Rounding Mode = Rounding::nearest_even>
constexpr uint16_t bf16_of(double value, bool saturate = false) {
  return static_cast<uint16_t>(narrow<bf16_format, Mode>(value, saturate));
}
template <Rounding Mode = Rounding::nearest_even>
constexpr uint32_t tf32_of(double value, bool saturate = false) {
  return narrow<tf32_format, Mode>(value, saturate) << 13;
}
// Conversions to 8 bits always saturate (PTX ISA 9.7.9.21).
constexpr uint8_t e4m3_of(double value) { return static_cast<uint8_t>(narrow<e4m3_format>(value, true)); }
constexpr uint8_t e5m2_of(double value) { return static_cast<uint8_t>(narrow<e5m2_format>(value, true)); }

// Whether a finite value rounds to an infinite f16. The largest f16 is 65504; values from 65520 on (halfway
// to the next step) become infinity.
constexpr bool f16_overflows(double value) {
  return (value >= 65520.0 || value <= -65520.0) && value <= std::numeric_limits<double>::max() &&
         value >= std::numeric_limits<double>::lowest();
}

}  // namespace warplens
