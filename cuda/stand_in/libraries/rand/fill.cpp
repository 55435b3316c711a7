#include "cuda/stand_in/libraries/rand/fill.h"

#include <algorithm>
#include <cmath>

#include "assets/cuda/random/constants.h"
#include "cuda/stand_in/libraries/rand/distributions.h"

namespace warplens::rand {

namespace {

// What one turn of a sequence gives: at most four numbers.
struct Turn {
  std::array<double, 4> values;
  std::array<uint32_t, 4> bits;
  uint64_t count = 0;
};

double shaped(const Wish& wish, double normal) {
  const double value = wish.mean + wish.deviation * normal;
  return wish.kind == Kind::log_normal ? std::exp(value) : value;
}

bool is_normal(const Wish& wish) { return wish.kind == Kind::normal || wish.kind == Kind::log_normal; }

uint64_t outputs_of(const Engine& engine, const Wish& wish) {
  if (std::holds_alternative<Philox>(engine)) return Philox::outputs_of_a_turn;
  return is_normal(wish) ? 2 : 1;
}

Turn turn_of(Xorwow& engine, uint64_t sequence, const Wish& wish) {
  Turn turn;
  const auto draw = [&] { return engine.bits(sequence); };
  const auto wide = [&] {
    const uint32_t low = draw();
    return uniform_wide(low, draw());
  };
  if (is_normal(wish)) {
    const double u = wish.wide ? wide() : uniform(draw());
    const double v = wish.wide ? wide() : uniform(draw());
    const auto pair = normals(u, v);
    turn.values = {shaped(wish, pair[0]), shaped(wish, pair[1]), 0, 0};
  } else if (wish.kind == Kind::uniform && wish.wide) {
    turn.values[0] = wide();
  } else {
    turn.bits[0] = draw();
    turn.values[0] =
        wish.kind == Kind::poisson ? poisson_of(wish.mean, uniform(turn.bits[0])) : uniform(turn.bits[0]);
  }
  return turn;
}

// Its numbers are those of one draw, as 32 bits, a float or a double.
Turn turn_of(Mrg32k3a& engine, uint64_t sequence, const Wish& wish) {
  Turn turn;
  const auto draw = [&] {
    const double value = engine.number(sequence) * warplens_random::mrg_to_uniform;
    return wish.wide ? value : static_cast<double>(static_cast<float>(value));
  };
  if (is_normal(wish)) {
    const double u = draw();
    const auto pair = normals(u, draw());
    turn.values = {shaped(wish, pair[0]), shaped(wish, pair[1]), 0, 0};
  } else if (wish.kind == Kind::bits) {
    turn.bits[0] = static_cast<uint32_t>(engine.number(sequence) * warplens_random::mrg_to_bits);
  } else {
    turn.values[0] = draw();
    if (wish.kind == Kind::poisson) turn.values[0] = poisson_of(wish.mean, turn.values[0]);
  }
  return turn;
}

// Four numbers of one block; of doubles, of two.
Turn turn_of(const Philox& engine, uint64_t sequence, const Wish& wish) {
  Turn turn;
  turn.bits = engine.block(sequence, 0);
  const auto& a = turn.bits;
  if (!wish.wide) {
    for (size_t i = 0; i < 4; ++i) turn.values[i] = uniform(a[i]);
    if (wish.kind == Kind::poisson)
      for (double& value : turn.values) value = poisson_of(wish.mean, value);
  } else {
    const auto b = engine.block(sequence, 1);
    turn.values = {uniform_wide(a[0], a[1]), uniform_wide(a[2], a[3]), uniform_wide(b[0], b[1]),
                   uniform_wide(b[2], b[3])};
  }
  if (is_normal(wish))
    for (size_t i = 0; i < 4; i += 2) {
      const auto pair = normals(turn.values[i], turn.values[i + 1]);
      turn.values[i] = shaped(wish, pair[0]);
      turn.values[i + 1] = shaped(wish, pair[1]);
    }
  return turn;
}

void end_turn(Philox& engine, uint64_t sequence, const Wish& wish) {
  engine.counters[sequence] += wish.wide ? 2 : 1;
}
template <class E>
void end_turn(E&, uint64_t, const Wish&) {}

void put(const Wish& wish, void* to, uint64_t at, double value, uint32_t bits) {
  if (wish.kind == Kind::bits) {
    static_cast<uint32_t*>(to)[at] = bits;
  } else if (wish.kind == Kind::poisson) {
    static_cast<uint32_t*>(to)[at] = static_cast<uint32_t>(value);
  } else if (wish.wide) {
    static_cast<double*>(to)[at] = value;
  } else {
    static_cast<float*>(to)[at] = static_cast<float>(value);
  }
}

}  // namespace

void fill(Stream& stream, const Wish& wish, void* to, uint64_t count) {
  Engine& engine = *stream.engine;
  const uint64_t outputs = outputs_of(engine, wish);
  std::visit(
      [&]<class E>(E& of) {
        // `at` counts in numbers of the engine's own turn; a pair of normal ones is one turn of XORWOW.
        for (uint64_t i = 0; i < count;) {
          const uint64_t sequence = stream.at / E::outputs_of_a_turn % of.sequences;
          const uint64_t first = stream.at % E::outputs_of_a_turn;
          const Turn turn = turn_of(of, sequence, wish);
          uint64_t k = first;
          for (; k < outputs && i < count; ++k) put(wish, to, i++, turn.values[k], turn.bits[k]);
          if (k == outputs) end_turn(of, sequence, wish);
          stream.at += E::outputs_of_a_turn == 1 ? 1 : k - first;
        }
      },
      engine);
}

namespace {

// The centre of the numbers that round to it, as in cuRAND: never 0.
double uniform_of(uint32_t point, bool wide) { return wide ? point * 0x1p-32 + 0x1p-32 : uniform(point); }
double uniform_of(uint64_t point, bool wide) {
  return wide ? static_cast<double>(point >> 11) * 0x1p-53 + 0x1p-54
              : uniform(static_cast<uint32_t>(point >> 32));
}
// What the normal numbers are made of: their inverse distribution is taken of it.
double share_of(uint32_t point, bool) { return point * 0x1p-32 + 0x1p-33; }
double share_of(uint64_t point, bool wide) {
  return wide ? uniform_of(point, true) : share_of(static_cast<uint32_t>(point >> 32), false);
}

template <class Word>
void fill_points(Stream& stream, const Wish& wish, void* to, uint64_t count) {
  const uint64_t each = count / stream.dimensions;
  for (uint32_t dimension = 0; dimension < stream.dimensions; ++dimension) {
    const auto points = sobol_points<Word>(dimension, stream.offset + stream.points, each);
    if (wish.kind == Kind::bits) {
      std::copy(points.begin(), points.end(), static_cast<Word*>(to) + dimension * each);
      continue;
    }
    for (uint64_t i = 0; i < each; ++i) {
      double value = uniform_of(points[i], wish.wide);
      if (is_normal(wish)) value = shaped(wish, normal_of(share_of(points[i], wish.wide)));
      if (wish.kind == Kind::poisson) value = poisson_of(wish.mean, value);
      put(wish, to, dimension * each + i, value, 0);
    }
  }
  stream.points += each;
}

}  // namespace

void fill_quasi(Stream& stream, const Wish& wish, void* to, uint64_t count) {
  stream.of_64_bits ? fill_points<uint64_t>(stream, wish, to, count)
                    : fill_points<uint32_t>(stream, wish, to, count);
}

}  // namespace warplens::rand
