#include "cuda/stand_in/libraries/rand/distributions.h"

#include <cmath>
#include <numbers>

namespace warplens::rand {

float uniform(uint32_t bits) { return static_cast<float>(bits) * 0x1p-32f + 0x1p-33f; }

double uniform_wide(uint32_t low, uint32_t high) {
  return static_cast<double>(uint64_t{low} ^ (uint64_t{high} << 21)) * 0x1p-53 + 0x1p-54;
}

std::array<double, 2> normals(double u, double v) {
  const double length = std::sqrt(-2 * std::log(u)), angle = 2 * std::numbers::pi * v;
  return {std::sin(angle) * length, std::cos(angle) * length};
}

// Newton's steps on Φ(x) = erfc(−x/√2)/2 from a logarithmic first guess, in the lower half.
double normal_of(double uniform) {
  const bool upper = uniform > 0.5;
  const double p = upper ? 1 - uniform : uniform;
  if (p <= 0) return upper ? HUGE_VAL : -HUGE_VAL;
  double x = -std::sqrt(-2 * std::log(2 * p) + 0.0) * 0.9;
  for (int i = 0; i < 60; ++i) {
    const double is = std::erfc(-x / std::numbers::sqrt2) / 2;
    const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
    // In the logarithm, where the tail is nearly a parabola.
    const double change = is > 0 ? (std::log(is) - std::log(p)) * is / density : -1;
    x -= change;
    if (std::abs(change) < 1e-16 * (1 + std::abs(x))) break;
  }
  return upper ? -x : x;
}

// From the mode, where the sum of probabilities is exact enough, in both directions.
uint32_t poisson_of(double lambda, double u) {
  if (lambda > 4000) {  // as good as normal: cuRAND takes it there too
    const double value = std::round(lambda + std::sqrt(lambda) * normal_of(u));
    return value > 0 ? static_cast<uint32_t>(value) : 0;
  }
  double probability = std::exp(-lambda), sum = probability;
  if (probability > 0) {
    uint32_t k = 0;
    while (sum < u && k < 100000) {
      ++k;
      probability *= lambda / k;
      sum += probability;
      if (probability == 0) break;
    }
    return k;
  }
  double logarithm = -lambda;
  uint32_t k = 0;
  sum = 0;
  for (; k < 100000; ++k) {
    sum += std::exp(logarithm);
    if (sum >= u) break;
    logarithm += std::log(lambda) - std::log(k + 1.0);
  }
  return k;
}

}  // namespace warplens::rand
