// Poisson's distribution. Up to 64 as cuRAND has it, number by number: Knuth, The Art of Computer
// Programming, volume 2, 3.4.1. From 4,000 the normal one, as in cuRAND. Between them other numbers of the
// same distribution: Hörmann, The transformed rejection method for generating Poisson random variables
// (1993), PTRS.
#pragma once
#include "random/normal.h"

namespace warplens_random {

template <class State>
WARPLENS_DEVICE unsigned int poisson_by_products(State* state, double mean) {
  float left = float(exp(mean));
  unsigned int count = 0;
#pragma unroll 1
  for (left *= curand_uniform(state); left > 1.0f; left *= curand_uniform(state)) ++count;
  return count;
}

template <class State>
WARPLENS_DEVICE unsigned int poisson_by_rejection(State* state, double mean) {
  const double b = 0.931 + 2.53 * sqrt(mean), a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), quick = 0.9277 - 3.6224 / (b - 2);
  while (true) {
    const double u = curand_uniform(state) - 0.5, v = curand_uniform(state), edge = 0.5 - fabs(u);
    const double k = floor((2 * a / edge + b) * u + mean + 0.43);
    if (edge >= 0.07 && v <= quick) return (unsigned int)(k);
    if (!(k >= 0) || (edge < 0.013 && v > edge)) continue;
    if (log(v * inverse_alpha / (a / (edge * edge) + b)) <= k * log(mean) - mean - lgamma(k + 1))
      return (unsigned int)(k);
  }
}

template <class State>
WARPLENS_DEVICE unsigned int poisson(State* state, double mean) {
  if (mean < 64) return poisson_by_products(state, mean);
  if (mean > 4000) return (unsigned int)(sqrt(mean) * curand_normal_double(state) + mean + 0.5);
  return poisson_by_rejection(state, mean);
}

}  // namespace warplens_random

WARPLENS_DEVICE unsigned int curand_poisson(curandStateXORWOW_t* state, double mean) {
  return warplens_random::poisson(state, mean);
}
WARPLENS_DEVICE unsigned int curand_poisson(curandStatePhilox4_32_10_t* state, double mean) {
  return warplens_random::poisson(state, mean);
}
WARPLENS_DEVICE unsigned int curand_poisson(curandStateMRG32k3a_t* state, double mean) {
  return warplens_random::poisson(state, mean);
}
