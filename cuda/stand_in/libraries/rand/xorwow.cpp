#include "assets/cuda/random/constants.h"
#include "cuda/stand_in/libraries/rand/engines.h"

namespace warplens::rand {

namespace {

using Words = std::array<uint32_t, 5>;
// What a step, or many, makes of each bit of a state: all is linear but the counter d.
using Matrix = std::vector<Words>;

Words step(const Words& v) {
  const uint32_t t = v[0] ^ (v[0] >> 2);
  return {v[1], v[2], v[3], v[4], (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1))};
}

Words times(const Matrix& matrix, const Words& v) {
  Words made{};
  for (size_t bit = 0; bit < matrix.size(); ++bit) {
    if ((v[bit / 32] >> (bit % 32) & 1) == 0) continue;
    for (size_t i = 0; i < made.size(); ++i) made[i] ^= matrix[bit][i];
  }
  return made;
}

Matrix squared(const Matrix& matrix) {
  Matrix made;
  made.reserve(matrix.size());
  for (const Words& column : matrix) made.push_back(times(matrix, column));
  return made;
}

// Steps to the power of 2: 1, 2, 4 … 2^67.
const std::vector<Matrix>& powers() {
  static const std::vector<Matrix> all = [] {
    std::vector<Matrix> made(1);
    for (size_t bit = 0; bit < 160; ++bit) {
      Words one{};
      one[bit / 32] = uint32_t{1} << (bit % 32);
      made[0].push_back(step(one));
    }
    while (made.size() <= 67) made.push_back(squared(made.back()));
    return made;
  }();
  return all;
}

using namespace warplens_random;

}  // namespace

Xorwow::Xorwow(uint64_t seed, uint64_t offset) {
  const uint32_t low = (static_cast<uint32_t>(seed) ^ xorwow_mix[0]) * xorwow_spread[0],
                 high = (static_cast<uint32_t>(seed >> 32) ^ xorwow_mix[1]) * xorwow_spread[1];
  const auto& first = xorwow_first;
  State state{{first[0] + low, first[1] ^ low, first[2] + high, first[3] ^ high, first[4] + low},
              xorwow_first_counter + high + low};
  // 2^67 steps are a multiple of 2^32, so that d stays.
  states.reserve(sequences);
  for (uint64_t i = 0; i < sequences; ++i) {
    states.push_back(state);
    state.v = times(powers()[67], state.v);
  }
  const uint64_t skipped = offset / sequences;
  for (size_t bit = 0; bit < 64; ++bit)
    if ((skipped >> bit & 1) != 0)
      for (State& each : states) each.v = times(powers()[bit], each.v);
  for (State& each : states) each.d += xorwow_counter_step * static_cast<uint32_t>(skipped);
  for (uint64_t i = 0; i < offset % sequences; ++i) bits(i);
}

uint32_t Xorwow::bits(uint64_t sequence) {
  State& state = states[sequence];
  state.v = step(state.v);
  state.d += xorwow_counter_step;
  return state.v[4] + state.d;
}

}  // namespace warplens::rand
