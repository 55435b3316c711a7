// Fills arrays with random numbers from an engine.
#pragma once

#include <cstdint>
#include <optional>

#include "cuda/stand_in/libraries/rand/engines.h"

namespace warplens::rand {

enum class Kind : uint8_t { bits, uniform, normal, log_normal, poisson };

struct Wish {
  Kind kind = Kind::bits;
  bool wide = false;               // doubles
  double mean = 0, deviation = 1;  // of a Poisson distribution, lambda is its mean
};

// The state of a generator: the numbers that it has given so far.
struct Stream {
  uint64_t seed = 0, offset = 0;
  bool legacy = false;           // the order
  uint32_t dimensions = 1;       // of a quasi-random one
  bool of_64_bits = false;       // a quasi-random one: Sobol64
  std::optional<Engine> engine;  // of a pseudo-random one, once it was asked
  uint64_t at = 0;               // how many numbers of its turn the engine has given, over all sequences
  uint64_t points = 0;           // of a quasi-random one, after the offset
};

// `to` holds `count` numbers of the wish: uint32_t (uint64_t, where the stream is of 64 bits), float or
// double.
void fill(Stream& stream, const Wish& wish, void* to, uint64_t count);  // with an engine
void fill_quasi(Stream& stream, const Wish& wish, void* to,
                uint64_t count);  // count: a multiple of dimensions

}  // namespace warplens::rand
