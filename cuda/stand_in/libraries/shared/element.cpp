#include "cuda/stand_in/libraries/shared/element.h"

#include <cmath>

namespace warplens::libraries {

float of_half(uint16_t bits) {
  const uint32_t sign = uint32_t{bits} >> 15 << 31, exponent = bits >> 10 & 31, fraction = bits & 1023;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000 | fraction << 13);
  const float value = exponent == 0 ? std::ldexp(float(fraction), -24)
                                    : std::ldexp(float(1024 + fraction), int(exponent) - 25);
  return sign != 0 ? -value : value;
}

uint16_t to_half(float value) {
  const auto sign = static_cast<uint16_t>(std::bit_cast<uint32_t>(value) >> 16 & 0x8000);
  if (std::isnan(value)) return 0x7fff;
  const float size = std::abs(value);
  if (size >= 65520) return sign | 0x7c00;  // rounds to more than the largest
  if (size < 0x1p-14f)                      // subnormal: in steps of 2^-24
    return static_cast<uint16_t>(sign | static_cast<uint16_t>(std::nearbyint(std::ldexp(size, 24))));
  // The lower 13 bits of the fraction go; a carry moves the exponent, as it should.
  const uint32_t bits = std::bit_cast<uint32_t>(size), kept = bits >> 13, rest = bits & 0x1fff;
  const uint32_t up = rest > 0x1000 || (rest == 0x1000 && (kept & 1) != 0) ? 1 : 0;
  return static_cast<uint16_t>(sign | (kept + up - (112u << 10)));
}

uint16_t to_bfloat16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  if (std::isnan(value)) return 0x7fff;
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

}  // namespace warplens::libraries
