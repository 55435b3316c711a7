#include <bit>

#include "libraries/rand/engines.h"

namespace warplens::rand {

namespace {

// Joe and Kuo, Constructing Sobol sequences with better two-dimensional projections (2008): of dimensions 2
// to 10, the coefficients of the primitive polynomial without the first and the last, and the first numbers.
struct Direction {
  uint32_t degree, coefficients, first[5];
};
constexpr Direction directions[most_dimensions - 1] = {{1, 0, {1}},
                                                       {2, 1, {1, 3}},
                                                       {3, 1, {1, 3, 1}},
                                                       {3, 2, {1, 1, 1}},
                                                       {4, 1, {1, 1, 3, 3}},
                                                       {4, 4, {1, 3, 5, 13}},
                                                       {5, 2, {1, 1, 5, 5, 17}},
                                                       {5, 4, {1, 1, 5, 5, 5}},
                                                       {5, 7, {1, 1, 7, 11, 19}}};

std::array<uint32_t, 32> vectors_of(uint32_t dimension) {
  std::array<uint32_t, 32> v{};
  if (dimension == 0) {
    for (uint32_t i = 0; i < 32; ++i) v[i] = uint32_t{1} << (31 - i);
    return v;
  }
  const Direction& direction = directions[dimension - 1];
  const uint32_t s = direction.degree;
  for (uint32_t i = 0; i < 32; ++i) {
    if (i < s) {
      v[i] = direction.first[i] << (31 - i);
      continue;
    }
    v[i] = v[i - s] ^ (v[i - s] >> s);
    for (uint32_t k = 1; k < s; ++k)
      if ((direction.coefficients >> (s - 1 - k) & 1) != 0) v[i] ^= v[i - k];
  }
  return v;
}

}  // namespace

std::vector<uint32_t> sobol_points(uint32_t dimension, uint64_t first, uint64_t count) {
  const std::array<uint32_t, 32> v = vectors_of(dimension);
  uint32_t x = 0;
  const uint64_t gray = first ^ (first >> 1);
  for (uint32_t bit = 0; bit < 32; ++bit)
    if ((gray >> bit & 1) != 0) x ^= v[bit];
  std::vector<uint32_t> points;
  points.reserve(count);
  for (uint64_t i = first; points.size() < count; ++i) {
    points.push_back(x);
    const int zero = std::countr_one(i);  // the lowest bit that is 0
    x ^= v[static_cast<size_t>(zero < 32 ? zero : 31)];
  }
  return points;
}

}  // namespace warplens::rand
