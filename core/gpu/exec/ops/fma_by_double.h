// A fused multiply-add of floats for machines without such an instruction, where the library's function would
// be called for each lane.
#pragma once

#include <bit>
#include <cstdint>

namespace warplens::exec {

// The product is exact in double. The sum is rounded to odd: if it is not exact, its last bit is set to 1.
// Rounding it again, to float, then gives the same result as rounding the exact sum (Boldo and Melquiond,
// "Emulation of FMA and correctly rounded sums", 2008). Only for rounding to nearest.
inline float fma_by_double(float a, float b, float c) {
  const double product = double{a} * double{b}, addend = c, sum = product + addend;
  // The rounding error of the sum, exactly (Knuth). NaN if the sum is infinite or NaN.
  const double of_addend = sum - product, of_product = sum - of_addend;
  const double lost = (product - of_product) + (addend - of_addend);
  const auto bits = std::bit_cast<int64_t>(sum);
  const int64_t away = 1 | ((bits ^ std::bit_cast<int64_t>(lost)) >> 63);  // sign of the error: 1 or -1
  const int64_t inexact = -int64_t{__builtin_fabs(lost) > 0};              // all bits, or none
  return static_cast<float>(std::bit_cast<double>(bits + (away & inexact & -(~bits & 1))));
}

}  // namespace warplens::exec
