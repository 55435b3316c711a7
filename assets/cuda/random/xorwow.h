// XORWOW. Of a state all but the counter d is linear, so that n steps are a polynomial of one step: x^n
// modulo the characteristic polynomial of the step (Haramoto, Matsumoto, Nishimura, Panneton, L'Ecuyer,
// Efficient jump ahead for F2-linear random number generators, 2008).
#pragma once
#include "random/constants.h"
#include "random/states.h"
#include "random/xorwow_jumps.h"

namespace warplens_random {

WARPLENS_DEVICE unsigned int xorwow_word(unsigned int oldest, unsigned int newest) {
  const unsigned int t = oldest ^ (oldest >> 2);
  return (newest ^ (newest << 4)) ^ (t ^ (t << 1));
}

// to ^= from, where the highest bit of `chosen` is set. A predicate costs less than a branch, since the lanes
// of a warp differ.
WARPLENS_DEVICE void xorwow_add_if(unsigned int chosen, unsigned int (&to)[5], unsigned int a, unsigned int b,
                                   unsigned int c, unsigned int d, unsigned int e) {
  asm("{\n\t.reg .pred %%chosen;\n\tsetp.lt.s32 %%chosen, %5, 0;\n\t"
      "@%%chosen xor.b32 %0, %0, %6;\n\t@%%chosen xor.b32 %1, %1, %7;\n\t@%%chosen xor.b32 %2, %2, %8;\n\t"
      "@%%chosen xor.b32 %3, %3, %9;\n\t@%%chosen xor.b32 %4, %4, %10;\n\t}"
      : "+r"(to[0]), "+r"(to[1]), "+r"(to[2]), "+r"(to[3]), "+r"(to[4])
      : "r"(chosen), "r"(a), "r"(b), "r"(c), "r"(d), "r"(e));
}

// Applies the polynomial of the step to v. Its coefficients are stored as xorwow_jumps.h says: after five
// steps each word is replaced by a new one at the same index.
WARPLENS_DEVICE void xorwow_apply(const unsigned int* polynomial, unsigned int (&v)[5]) {
  unsigned int coefficients[5], sum[5] = {0, 0, 0, 0, 0};
  for (int i = 0; i < 5; ++i) coefficients[i] = polynomial[i];
#pragma unroll 1
  for (int turn = 0; turn < 32; ++turn) {
#pragma unroll
    for (int i = 0; i < 5; ++i) {
      xorwow_add_if(coefficients[i], sum, v[i], v[(i + 1) % 5], v[(i + 2) % 5], v[(i + 3) % 5],
                    v[(i + 4) % 5]);
      v[i] = xorwow_word(v[i], v[(i + 4) % 5]);
      coefficients[i] <<= 1;
    }
  }
  for (int i = 0; i < 5; ++i) v[i] = sum[i];
}

// For each digit of n that is not 0, the polynomial of the digit at its place.
template <int bits>
WARPLENS_DEVICE void xorwow_jump(unsigned long long n, const unsigned int* polynomials,
                                 unsigned int (&v)[5]) {
  constexpr unsigned int others = (1u << bits) - 1;
#pragma unroll 1
  for (; n != 0; n >>= bits, polynomials += 5 * others) {
    const unsigned int digit = (unsigned int)(n)&others;
    if (digit != 0) xorwow_apply(polynomials + 5 * (digit - 1), v);
  }
}

}  // namespace warplens_random

WARPLENS_DEVICE unsigned int curand(curandStateXORWOW_t* state) {
  const unsigned int made = warplens_random::xorwow_word(state->v[0], state->v[4]);
  for (int i = 0; i < 4; ++i) state->v[i] = state->v[i + 1];
  state->v[4] = made;
  state->d += warplens_random::xorwow_counter_step;
  return made + state->d;
}

// Moves 2^67 numbers for each: a multiple of 2^32, so that the counter is unchanged.
WARPLENS_DEVICE void skipahead_sequence(unsigned long long n, curandStateXORWOW_t* state) {
  warplens_random::xorwow_jump<4>(n, warplens_random::xorwow_sequences, state->v);
}

WARPLENS_DEVICE void skipahead(unsigned long long n, curandStateXORWOW_t* state) {
  // The few steps for which a polynomial costs more.
  const unsigned int counter = state->d + warplens_random::xorwow_counter_step * (unsigned int)(n);
#pragma unroll 1
  for (unsigned int i = (unsigned int)(n)&15; i != 0; --i) curand(state);
  warplens_random::xorwow_jump<1>(n >> 4, warplens_random::xorwow_steps, state->v);
  state->d = counter;
}

WARPLENS_DEVICE void curand_init(unsigned long long seed, unsigned long long sequence,
                                 unsigned long long offset, curandStateXORWOW_t* state) {
  using namespace warplens_random;
  const unsigned int low = ((unsigned int)(seed) ^ xorwow_mix[0]) * xorwow_spread[0];
  const unsigned int high = ((unsigned int)(seed >> 32) ^ xorwow_mix[1]) * xorwow_spread[1];
  state->d = xorwow_first_counter + high + low;
  state->v[0] = xorwow_first[0] + low;
  state->v[1] = xorwow_first[1] ^ low;
  state->v[2] = xorwow_first[2] + high;
  state->v[3] = xorwow_first[3] ^ high;
  state->v[4] = xorwow_first[4] + low;
  skipahead_sequence(sequence, state);
  skipahead(offset, state);
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}
