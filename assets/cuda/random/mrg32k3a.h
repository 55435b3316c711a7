// MRG32k3a: two recurrences of three numbers each, modulo a prime near 2^32. n steps are a polynomial of one
// step, x^n modulo the recurrence's own polynomial, and have three coefficients.
#pragma once
#include "random/constants.h"
#include "random/states.h"

namespace warplens_random {

struct MrgPolynomial {
  unsigned int at[3];  // of 1, x and x^2
};
// x^(2^76) and x^(2^127), the distances of subsequences and sequences: squared so often from x.
constexpr MrgPolynomial mrg_step = {{0, 1, 0}};
constexpr MrgPolynomial mrg_subsequence[2] = {{{82758667u, 1871391091u, 4127413238u}},
                                              {{1511326704u, 3759209742u, 1610795712u}}};
constexpr MrgPolynomial mrg_sequence[2] = {{{2427906178u, 3580155704u, 949770784u}},
                                           {{1464411153u, 277697599u, 1610723613u}}};

// x^3 is a · x^2 + b · x + c in each of them.
template <int which>
struct MrgRecurrence {
  static constexpr unsigned long long m = mrg_modulus[which];
  static constexpr unsigned long long a = which == 0 ? 0 : mrg_second_factor;
  static constexpr unsigned long long b = which == 0 ? mrg_first_factor : 0;
  static constexpr unsigned long long c = m - (which == 0 ? mrg_first_term : mrg_second_term);
  // And x^4, of the same three.
  static constexpr unsigned long long a4 = (a * a + b) % m, b4 = (a * b % m + c) % m, c4 = a * c % m;
};

template <int which>
WARPLENS_DEVICE unsigned long long mrg_times(unsigned long long one, unsigned long long other) {
  return one * other % mrg_modulus[which];
}

template <int which>
WARPLENS_DEVICE unsigned int mrg_next(unsigned int oldest, unsigned int middle, unsigned int newest) {
  using R = MrgRecurrence<which>;
  return (unsigned int)((R::a * newest + R::b * middle + (R::m - R::c) * (R::m - oldest)) % R::m);
}

template <int which>
WARPLENS_DEVICE MrgPolynomial mrg_squared(const MrgPolynomial& p) {
  using R = MrgRecurrence<which>;
  const unsigned long long x3 = 2 * mrg_times<which>(p.at[1], p.at[2]) % R::m;
  const unsigned long long x4 = mrg_times<which>(p.at[2], p.at[2]);
  const unsigned long long one =
      mrg_times<which>(p.at[0], p.at[0]) + mrg_times<which>(R::c, x3) + mrg_times<which>(R::c4, x4);
  const unsigned long long x =
      2 * mrg_times<which>(p.at[0], p.at[1]) + mrg_times<which>(R::b, x3) + mrg_times<which>(R::b4, x4);
  const unsigned long long x2 = 2 * mrg_times<which>(p.at[0], p.at[2]) + mrg_times<which>(p.at[1], p.at[1]) +
                                mrg_times<which>(R::a, x3) + mrg_times<which>(R::a4, x4);
  return {{(unsigned int)(one % R::m), (unsigned int)(x % R::m), (unsigned int)(x2 % R::m)}};
}

template <int which>
WARPLENS_DEVICE void mrg_apply(const MrgPolynomial& p, unsigned int (&s)[3]) {
  const unsigned int s3 = mrg_next<which>(s[0], s[1], s[2]), s4 = mrg_next<which>(s[1], s[2], s3);
  const unsigned int all[5] = {s[0], s[1], s[2], s3, s4};
  for (int i = 0; i < 3; ++i) {
    unsigned long long sum = 0;
    for (int k = 0; k < 3; ++k) sum += mrg_times<which>(p.at[k], all[i + k]);
    s[i] = (unsigned int)(sum % mrg_modulus[which]);
  }
}

// Applies the steps of `once` n times.
template <int which>
WARPLENS_DEVICE void mrg_jump(unsigned long long n, MrgPolynomial once, unsigned int (&s)[3]) {
#pragma unroll 1
  for (; n != 0; n >>= 1) {
    if ((n & 1) != 0) mrg_apply<which>(once, s);
    once = mrg_squared<which>(once);
  }
}

// 1 to 4294967087.
WARPLENS_DEVICE unsigned int mrg_number(curandStateMRG32k3a_t* state) {
  const unsigned int one = mrg_next<0>(state->s1[0], state->s1[1], state->s1[2]);
  const unsigned int other = mrg_next<1>(state->s2[0], state->s2[1], state->s2[2]);
  for (int i = 0; i < 2; ++i) {
    state->s1[i] = state->s1[i + 1];
    state->s2[i] = state->s2[i + 1];
  }
  state->s1[2] = one;
  state->s2[2] = other;
  return one - other + (one > other ? 0u : (unsigned int)(mrg_modulus[0]));
}

}  // namespace warplens_random

WARPLENS_DEVICE unsigned int curand(curandStateMRG32k3a_t* state) {
  return (unsigned int)(warplens_random::mrg_number(state) * warplens_random::mrg_to_bits);
}

WARPLENS_DEVICE void skipahead(unsigned long long n, curandStateMRG32k3a_t* state) {
  warplens_random::mrg_jump<0>(n, warplens_random::mrg_step, state->s1);
  warplens_random::mrg_jump<1>(n, warplens_random::mrg_step, state->s2);
}
// Moves 2^76 numbers for each subsequence.
WARPLENS_DEVICE void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  warplens_random::mrg_jump<0>(n, warplens_random::mrg_subsequence[0], state->s1);
  warplens_random::mrg_jump<1>(n, warplens_random::mrg_subsequence[1], state->s2);
}
// Moves 2^127 numbers for each sequence.
WARPLENS_DEVICE void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  warplens_random::mrg_jump<0>(n, warplens_random::mrg_sequence[0], state->s1);
  warplens_random::mrg_jump<1>(n, warplens_random::mrg_sequence[1], state->s2);
}

WARPLENS_DEVICE void curand_init(unsigned long long seed, unsigned long long subsequence,
                                 unsigned long long offset, curandStateMRG32k3a_t* state) {
  using namespace warplens_random;
  const unsigned int low = (unsigned int)(seed) ^ mrg_mix[0];
  const unsigned int high = (unsigned int)(seed >> 32) ^ mrg_mix[1];
  for (int i = 0; i < 3; ++i) {
    state->s1[i] = seed == 0 ? mrg_first : (unsigned int)(mrg_times<0>(i == 1 ? high : low, mrg_first));
    state->s2[i] = seed == 0 ? mrg_first : (unsigned int)(mrg_times<1>(i == 1 ? low : high, mrg_first));
  }
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}
