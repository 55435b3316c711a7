// A fused multiply-add of floats for machines that have none, where a library's would be a call for each
// lane.
#pragma once

#include <bit>
#include <cstdint>

namespace warplens::exec {

// The product is exact in double. The sum is rounded to odd: where it is not exact, its last bit is 1, so
// that rounding it once more, to float, goes the way that the exact sum would go (Boldo and Melquiond,
// "Emulation of FMA and correctly rounded sums", 2008). Only for rounding to nearest.
inline float fma_by_double(float a, float b, float c) {
  const double product = double{a} * double{b}, addend = c, sum = product + addend;
  // What the sum has lost, exactly (Knuth). Not a number where the sum is infinite or none.
  const double of_addend = sum - product, of_product = sum - of_addend;
  const double lost = (product - of_product) + (addend - of_addend);
  const auto bits = std::bit_cast<int64_t>(sum);
  const int64_t away = 1 | ((bits ^ std::bit_cast<int64_t>(lost)) >> 63);  // towards what was lost: 1 or -1
  const int64_t inexact = -int64_t{__builtin_fabs(lost) > 0};              // all bits, or none
  return static_cast<float>(std::bit_cast<double>(bits + (away & inexact & -(~bits & 1))));
}

}  // namespace warplens::exec
