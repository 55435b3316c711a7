#include <bit>

#include "cuda/stand_in/libraries/rand/engines.h"

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

template <class Word>
constexpr uint32_t word_bits = sizeof(Word) * 8;

template <class Word>
std::array<Word, word_bits<Word>> vectors_of(uint32_t dimension) {
  constexpr uint32_t bits = word_bits<Word>;
  std::array<Word, bits> v{};
  if (dimension == 0) {
    for (uint32_t i = 0; i < bits; ++i) v[i] = Word{1} << (bits - 1 - i);
    return v;
  }
  const Direction& direction = directions[dimension - 1];
  const uint32_t s = direction.degree;
  for (uint32_t i = 0; i < bits; ++i) {
    if (i < s) {
      v[i] = Word{direction.first[i]} << (bits - 1 - i);
      continue;
    }
    v[i] = v[i - s] ^ (v[i - s] >> s);
    for (uint32_t k = 1; k < s; ++k)
      if ((direction.coefficients >> (s - 1 - k) & 1) != 0) v[i] ^= v[i - k];
  }
  return v;
}

}  // namespace

template <class Word>
std::vector<Word> sobol_points(uint32_t dimension, uint64_t first, uint64_t count) {
  constexpr uint32_t bits = word_bits<Word>;
  const std::array<Word, bits> v = vectors_of<Word>(dimension);
  Word x = 0;
  const uint64_t gray = first ^ (first >> 1);
  for (uint32_t bit = 0; bit < bits; ++bit)
    if ((gray >> bit & 1) != 0) x ^= v[bit];
  std::vector<Word> points;
  points.reserve(count);
  for (uint64_t i = first; points.size() < count; ++i) {
    points.push_back(x);
    const auto zero = static_cast<uint32_t>(std::countr_one(i));  // the lowest bit that is 0
    x ^= v[zero < bits ? zero : bits - 1];
  }
  return points;
}

template std::vector<uint32_t> sobol_points(uint32_t, uint64_t, uint64_t);
template std::vector<uint64_t> sobol_points(uint32_t, uint64_t, uint64_t);

}  // namespace warplens::rand
