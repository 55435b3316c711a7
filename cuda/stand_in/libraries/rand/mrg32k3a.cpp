#include "assets/cuda/random/constants.h"
#include "cuda/stand_in/libraries/rand/engines.h"

namespace warplens::rand {

namespace {

using namespace warplens_random;
constexpr uint64_t m1 = mrg_modulus[0], m2 = mrg_modulus[1];
using Vector = std::array<uint32_t, 3>;
using Matrix3 = std::array<std::array<uint64_t, 3>, 3>;
constexpr Matrix3 step_1 = {{{0, 1, 0}, {0, 0, 1}, {m1 - mrg_first_term, mrg_first_factor, 0}}};
constexpr Matrix3 step_2 = {{{0, 1, 0}, {0, 0, 1}, {m2 - mrg_second_term, 0, mrg_second_factor}}};

Matrix3 times(const Matrix3& a, const Matrix3& b, uint64_t modulus) {
  Matrix3 made{};
  for (size_t i = 0; i < 3; ++i)
    for (size_t j = 0; j < 3; ++j)
      for (size_t k = 0; k < 3; ++k) made[i][j] = (made[i][j] + a[i][k] * b[k][j] % modulus) % modulus;
  return made;
}
Vector times(const Matrix3& a, const Vector& v, uint64_t modulus) {
  Vector made{};
  for (size_t i = 0; i < 3; ++i) {
    uint64_t sum = 0;
    for (size_t k = 0; k < 3; ++k) sum = (sum + a[i][k] * v[k] % modulus) % modulus;
    made[i] = static_cast<uint32_t>(sum);
  }
  return made;
}
Matrix3 power(Matrix3 a, uint64_t exponent, uint64_t modulus) {
  Matrix3 made = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) made = times(made, a, modulus);
    a = times(a, a, modulus);
  }
  return made;
}
// The step to the power 2^76.
Matrix3 next_sequence(Matrix3 a, uint64_t modulus) {
  for (int i = 0; i < 76; ++i) a = times(a, a, modulus);
  return a;
}

}  // namespace

Mrg32k3a::Mrg32k3a(uint64_t seed, uint64_t offset, uint64_t its_sequences) : sequences(its_sequences) {
  constexpr uint64_t start = mrg_first;
  State state{{start, start, start}, {start, start, start}};
  if (seed != 0) {
    const uint64_t x1 = static_cast<uint32_t>(seed) ^ mrg_mix[0];
    const uint64_t x2 = static_cast<uint32_t>(seed >> 32) ^ mrg_mix[1];
    const auto of = [](uint64_t by, uint64_t modulus) { return static_cast<uint32_t>(by * start % modulus); };
    state = {{of(x1, m1), of(x2, m1), of(x1, m1)}, {of(x2, m2), of(x1, m2), of(x2, m2)}};
  }
  const uint64_t skipped = offset / sequences;
  state.one = times(power(step_1, skipped, m1), state.one, m1);
  state.two = times(power(step_2, skipped, m2), state.two, m2);
  const Matrix3 next_1 = next_sequence(step_1, m1), next_2 = next_sequence(step_2, m2);
  states.reserve(sequences);
  for (uint64_t i = 0; i < sequences; ++i) {
    states.push_back(state);
    state.one = times(next_1, state.one, m1);
    state.two = times(next_2, state.two, m2);
  }
  for (uint64_t i = 0; i < offset % sequences; ++i) number(i);
}

uint32_t Mrg32k3a::number(uint64_t sequence) {
  auto& [one, two] = states[sequence];
  const uint64_t p1 = (mrg_first_factor * uint64_t{one[1]} + mrg_first_term * (m1 - one[0])) % m1;
  const uint64_t p2 = (mrg_second_factor * uint64_t{two[2]} + mrg_second_term * (m2 - two[0])) % m2;
  one = {one[1], one[2], static_cast<uint32_t>(p1)};
  two = {two[1], two[2], static_cast<uint32_t>(p2)};
  return static_cast<uint32_t>(p1 > p2 ? p1 - p2 : p1 + m1 - p2);
}

}  // namespace warplens::rand
