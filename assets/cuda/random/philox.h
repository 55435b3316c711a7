// Philox 4x32-10: a number is a cipher of its place, so that any place costs the same. The words of the
// counter are the block of four numbers (64 bits) and the sequence (64 bits).
#pragma once
#include "random/constants.h"
#include "random/states.h"

WARPLENS_DEVICE uint4 curand_Philox4x32_10(uint4 counter, uint2 key) {
  using namespace warplens_random;
#pragma unroll
  for (int round = 0; round < philox_rounds; ++round) {
    const unsigned int low_0 = philox_factor[0] * counter.x, low_1 = philox_factor[1] * counter.z;
    counter = {__umulhi(philox_factor[1], counter.z) ^ counter.y ^ key.x, low_1,
               __umulhi(philox_factor[0], counter.x) ^ counter.w ^ key.y, low_0};
    key.x += philox_key_step[0];
    key.y += philox_key_step[1];
  }
  return counter;
}

namespace warplens_random {

WARPLENS_DEVICE unsigned long long joined(unsigned int low, unsigned int high) {
  return low | (unsigned long long)(high) << 32;
}
// Moves n blocks further; after the last block of a sequence, the next sequence begins.
WARPLENS_DEVICE void philox_move(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  const unsigned long long block = joined(state->ctr.x, state->ctr.y) + n;
  const unsigned long long sequence = joined(state->ctr.z, state->ctr.w) + (block < n ? 1 : 0);
  state->ctr = {(unsigned int)(block), (unsigned int)(block >> 32), (unsigned int)(sequence),
                (unsigned int)(sequence >> 32)};
}

}  // namespace warplens_random

WARPLENS_DEVICE void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  const unsigned int given = state->STATE + ((unsigned int)(n)&3);
  warplens_random::philox_move(n / 4 + given / 4, state);
  state->STATE = given & 3;
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}

// Moves 2^66 numbers for each.
WARPLENS_DEVICE void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  const unsigned long long sequence = warplens_random::joined(state->ctr.z, state->ctr.w) + n;
  state->ctr.z = (unsigned int)(sequence);
  state->ctr.w = (unsigned int)(sequence >> 32);
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}

WARPLENS_DEVICE void curand_init(unsigned long long seed, unsigned long long sequence,
                                 unsigned long long offset, curandStatePhilox4_32_10_t* state) {
  state->ctr = {0, 0, (unsigned int)(sequence), (unsigned int)(sequence >> 32)};
  state->key = {(unsigned int)(seed), (unsigned int)(seed >> 32)};
  state->STATE = 0;
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
  skipahead(offset, state);
}

WARPLENS_DEVICE unsigned int curand(curandStatePhilox4_32_10_t* state) {
  const uint4 all = state->output;
  const unsigned int low = state->STATE == 1 ? all.y : all.x, high = state->STATE == 3 ? all.w : all.z;
  const unsigned int number = state->STATE < 2 ? low : high;
  if (++state->STATE == 4) {
    warplens_random::philox_move(1, state);
    state->output = curand_Philox4x32_10(state->ctr, state->key);
    state->STATE = 0;
  }
  return number;
}

// The next four numbers.
WARPLENS_DEVICE uint4 curand4(curandStatePhilox4_32_10_t* state) {
  const uint4 now = state->output;
  warplens_random::philox_move(1, state);
  const uint4 next = curand_Philox4x32_10(state->ctr, state->key);
  state->output = next;
  switch (state->STATE) {
    case 0:
      return now;
    case 1:
      return {now.y, now.z, now.w, next.x};
    case 2:
      return {now.z, now.w, next.x, next.y};
    default:
      return {now.w, next.x, next.y, next.z};
  }
}
