// Sobol's sequences of 32 bits in the order of the Gray code (Joe and Kuo, Constructing Sobol sequences with
// better two-dimensional projections, 2008). A program brings the direction vectors of its dimension.
#pragma once
#include "random/states.h"

namespace warplens_random {

template <class State>
WARPLENS_DEVICE unsigned int sobol_number(State* state) {
  const unsigned int number = state->x;
  const int zero = __ffs(int(~state->i)) - 1;  // the lowest bit that is 0
  state->x ^= state->direction_vectors[zero < 0 ? 31 : zero];
  ++state->i;
  return number;
}
template <class State>
WARPLENS_DEVICE void sobol_move(unsigned int n, State* state) {
  const unsigned int gray = (state->i + n) ^ ((state->i + n) >> 1);
  state->i += n;
  state->x = state->c;
  for (int bit = 0; bit < 32; ++bit)
    if ((gray >> bit & 1) != 0) state->x ^= state->direction_vectors[bit];
}
template <class State>
WARPLENS_DEVICE void sobol_init(const unsigned int* directions, unsigned int constant, unsigned int offset,
                                State* state) {
  for (int i = 0; i < 32; ++i) state->direction_vectors[i] = directions[i];
  state->i = 0;
  state->c = constant;
  sobol_move(offset, state);
}

}  // namespace warplens_random

WARPLENS_DEVICE void curand_init(curandDirectionVectors32_t directions, unsigned int offset,
                                 curandStateSobol32_t* state) {
  warplens_random::sobol_init(directions, 0, offset, state);
}
WARPLENS_DEVICE void curand_init(curandDirectionVectors32_t directions, unsigned int scramble,
                                 unsigned int offset, curandStateScrambledSobol32_t* state) {
  warplens_random::sobol_init(directions, scramble, offset, state);
}
WARPLENS_DEVICE unsigned int curand(curandStateSobol32_t* state) {
  return warplens_random::sobol_number(state);
}
WARPLENS_DEVICE unsigned int curand(curandStateScrambledSobol32_t* state) {
  return warplens_random::sobol_number(state);
}
WARPLENS_DEVICE void skipahead(unsigned int n, curandStateSobol32_t* state) {
  warplens_random::sobol_move(n, state);
}
WARPLENS_DEVICE void skipahead(unsigned int n, curandStateScrambledSobol32_t* state) {
  warplens_random::sobol_move(n, state);
}
