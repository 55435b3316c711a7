// The generators. Each has several parallel sequences, as NVIDIA's threads have, and an array is filled from
// them in turn (cuRAND documentation, "Host API", Order): with T sequences of XORWOW result n is number n / T
// of sequence n mod T.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

namespace warplens::rand {

// Marsaglia, Xorshift RNGs (2003). Sequences lie 2^67 numbers apart; they are seeded as curand_init does.
struct Xorwow {
  static constexpr uint64_t sequences = 4096, outputs_of_a_turn = 1;
  struct State {
    std::array<uint32_t, 5> v;
    uint32_t d;
  };
  std::vector<State> states;
  Xorwow(uint64_t seed, uint64_t offset);
  uint32_t bits(uint64_t sequence);
};

// L'Ecuyer, Good parameters for combined multiple recursive generators (1999). Sequences lie 2^76 apart.
// The legacy order has fewer of them.
struct Mrg32k3a {
  static constexpr uint64_t outputs_of_a_turn = 1, usual = 81920, legacy = 4096;
  uint64_t sequences;
  struct State {
    std::array<uint32_t, 3> one, two;
  };
  std::vector<State> states;
  Mrg32k3a(uint64_t seed, uint64_t offset, uint64_t sequences);
  uint32_t number(uint64_t sequence);  // 1 to 4294967087
};

// Salmon, Moraes, Dror, Shaw, Parallel random numbers: as easy as 1, 2, 3 (2011). A turn of a sequence is
// four numbers.
struct Philox {
  static constexpr uint64_t sequences = 65536, outputs_of_a_turn = 4;
  uint64_t seed;
  std::vector<uint64_t> counters;  // the block that is next
  Philox(uint64_t its_seed, uint64_t offset);
  std::array<uint32_t, 4> block(uint64_t sequence, uint64_t behind) const;
};

using Engine = std::variant<Xorwow, Mrg32k3a, Philox>;

// Sobol's points in the order of the Gray code: dimension after dimension, `count` points from number `first`
// on. Word: uint32_t, or uint64_t for Sobol64, whose points begin with the same 32 bits.
constexpr uint32_t most_dimensions = 10;
template <class Word>
std::vector<Word> sobol_points(uint32_t dimension, uint64_t first, uint64_t count);

}  // namespace warplens::rand
