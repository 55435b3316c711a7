// Uniform numbers above 0, up to 1: from 32 bits for a float, from 64 for a double.
#pragma once
#include "random/mrg32k3a.h"
#include "random/philox.h"
#include "random/sobol.h"
#include "random/xorwow.h"

namespace warplens_random {

// The centre of one of the 2^32 (2^53) parts of the interval.
WARPLENS_DEVICE float uniform_of(unsigned int bits) {
  return float(bits) * 2.3283064365386963e-10f + 1.1641532182693481e-10f;
}
WARPLENS_DEVICE double uniform_of(unsigned int low, unsigned int high) {
  const unsigned long long bits = low ^ (unsigned long long)(high) << 21;
  return double(bits) * 1.1102230246251565e-16 + 5.5511151231257827e-17;
}
// All that a sequence of 32 bits has.
WARPLENS_DEVICE double uniform_double_of(unsigned int bits) {
  return double(bits) * 2.3283064365386963e-10 + 2.3283064365386963e-10;
}
template <class State>
WARPLENS_DEVICE double uniform_of_two(State* state) {
  const unsigned int low = curand(state);
  return uniform_of(low, curand(state));
}

}  // namespace warplens_random

WARPLENS_DEVICE float curand_uniform(curandStateXORWOW_t* state) {
  return warplens_random::uniform_of(curand(state));
}
WARPLENS_DEVICE float curand_uniform(curandStatePhilox4_32_10_t* state) {
  return warplens_random::uniform_of(curand(state));
}
WARPLENS_DEVICE float curand_uniform(curandStateMRG32k3a_t* state) {
  return float(warplens_random::mrg_number(state) * warplens_random::mrg_to_uniform);
}
WARPLENS_DEVICE float curand_uniform(curandStateSobol32_t* state) {
  return warplens_random::uniform_of(curand(state));
}
WARPLENS_DEVICE float curand_uniform(curandStateScrambledSobol32_t* state) {
  return warplens_random::uniform_of(curand(state));
}

WARPLENS_DEVICE double curand_uniform_double(curandStateXORWOW_t* state) {
  return warplens_random::uniform_of_two(state);
}
// Uses one number; curand_uniform2_double and curand_uniform4_double use two for each result.
WARPLENS_DEVICE double curand_uniform_double(curandStatePhilox4_32_10_t* state) {
  return warplens_random::uniform_double_of(curand(state));
}
WARPLENS_DEVICE double curand_uniform_double(curandStateMRG32k3a_t* state) {
  return warplens_random::mrg_number(state) * warplens_random::mrg_to_uniform;
}
WARPLENS_DEVICE double curand_uniform_double(curandStateSobol32_t* state) {
  return warplens_random::uniform_double_of(curand(state));
}
WARPLENS_DEVICE double curand_uniform_double(curandStateScrambledSobol32_t* state) {
  return warplens_random::uniform_double_of(curand(state));
}

// Uses the next four numbers, or two numbers for each double.
WARPLENS_DEVICE float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  using warplens_random::uniform_of;
  const uint4 bits = curand4(state);
  return {uniform_of(bits.x), uniform_of(bits.y), uniform_of(bits.z), uniform_of(bits.w)};
}
WARPLENS_DEVICE double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
  using warplens_random::uniform_of;
  const uint4 bits = curand4(state);
  return {uniform_of(bits.x, bits.y), uniform_of(bits.z, bits.w)};
}
WARPLENS_DEVICE double4 curand_uniform4_double(curandStatePhilox4_32_10_t* state) {
  const double2 one = curand_uniform2_double(state), other = curand_uniform2_double(state);
  return {one.x, one.y, other.x, other.y};
}
