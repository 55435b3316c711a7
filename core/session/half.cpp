#include "core/session/half.h"

#include <cmath>

namespace warplens {

bool half_overflows(double value) {
  // 65504 is the largest; from halfway to the next step on, rounding gives infinity.
  return std::isfinite(value) && std::fabs(value) >= 65520.0;
}

uint16_t half_bits(double value) {
  const auto sign = static_cast<uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const double size = std::fabs(value);
  if (std::isnan(value)) return 0x7fff;  // the GPU's
  if (size >= 65520.0) return sign | 0x7c00;
  int exponent = 0;
  std::frexp(size, &exponent);  // size = f · 2^exponent, f in [0.5, 1)
  // Steps of one unit in the last place: 10 bits below the leading one, 2^-24 for subnormals.
  const int step = size == 0 || exponent - 1 < -14 ? -24 : exponent - 1 - 10;
  const double units = std::nearbyint(std::ldexp(size, -step));
  // Carries run over into the exponent, as the format's order of bits intends.
  const int biased = step + 24;  // 0 for subnormals and the first normal binade
  return static_cast<uint16_t>(sign | static_cast<uint16_t>(static_cast<int>(units) + (biased << 10)));
}

}  // namespace warplens
