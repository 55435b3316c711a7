// Normal numbers, two of two uniform ones (Box and Muller, A note on the generation of random normal
// deviates, 1958): the second one waits in the state. Of Sobol's sequences one of one, by the inverse of the
// distribution.
#pragma once
#include "random/uniform.h"

namespace warplens_random {

// The number that waits in a state.
constexpr int extra_normal = 1, extra_log_normal = 2;

WARPLENS_DEVICE float2 box_muller(float uniform, float angle) {
  const float length = sqrtf(-2.0f * logf(uniform));
  float sine, cosine;
  __sincosf(angle, &sine, &cosine);
  return {sine * length, cosine * length};
}
// half_turns: 0 to 2.
WARPLENS_DEVICE double2 box_muller(double uniform, double half_turns) {
  const double length = sqrt(-2.0 * log(uniform));
  double sine, cosine;
  sincospi(half_turns, &sine, &cosine);
  return {sine * length, cosine * length};
}

// 2π times the centre of one of 2^32 parts.
WARPLENS_DEVICE float2 normals_of(unsigned int one, unsigned int other) {
  return box_muller(uniform_of(one), float(other) * 1.4629180792671596e-09f + 7.3145903963357981e-10f);
}
WARPLENS_DEVICE double2 normals_of(uint4 bits) {
  return box_muller(uniform_of(bits.x, bits.y), 2 * uniform_of(bits.z, bits.w));
}

template <class State>
WARPLENS_DEVICE float2 normal_pair(State* state) {
  const unsigned int one = curand(state);
  return normals_of(one, curand(state));
}
WARPLENS_DEVICE float2 normal_pair(curandStateMRG32k3a_t* state) {
  const float one = curand_uniform(state);
  return box_muller(one, curand_uniform(state) * 6.2831853071795860f);
}
WARPLENS_DEVICE double2 normal_pair_double(curandStatePhilox4_32_10_t* state) {
  return normals_of(curand4(state));
}
template <class State>
WARPLENS_DEVICE double2 normal_pair_double(State* state) {
  const double one = curand_uniform_double(state);
  return box_muller(one, 2 * curand_uniform_double(state));
}

WARPLENS_DEVICE float2 log_normals_of(float2 normals, float mean, float deviation) {
  return {expf(mean + deviation * normals.x), expf(mean + deviation * normals.y)};
}
WARPLENS_DEVICE double2 log_normals_of(double2 normals, double mean, double deviation) {
  return {exp(mean + deviation * normals.x), exp(mean + deviation * normals.y)};
}

// The number that waits, or the first of the two that `pair` makes. What waits for another distribution is
// lost.
template <class Extra, class Pair>
WARPLENS_DEVICE Extra one_of_pair(int* flag, int wanted, Extra* extra, Pair pair) {
  if (*flag == wanted) {
    *flag = 0;
    return *extra;
  }
  const auto made = pair();
  *extra = made.y;
  *flag = wanted;
  return made.x;
}

}  // namespace warplens_random

#define WARPLENS_NORMAL(State)                                                                           \
  WARPLENS_DEVICE float2 curand_normal2(State* state) { return warplens_random::normal_pair(state); }    \
  WARPLENS_DEVICE double2 curand_normal2_double(State* state) {                                          \
    return warplens_random::normal_pair_double(state);                                                   \
  }                                                                                                      \
  WARPLENS_DEVICE float2 curand_log_normal2(State* state, float mean, float deviation) {                 \
    return warplens_random::log_normals_of(curand_normal2(state), mean, deviation);                      \
  }                                                                                                      \
  WARPLENS_DEVICE double2 curand_log_normal2_double(State* state, double mean, double deviation) {       \
    return warplens_random::log_normals_of(curand_normal2_double(state), mean, deviation);               \
  }                                                                                                      \
  WARPLENS_DEVICE float curand_normal(State* state) {                                                    \
    using namespace warplens_random;                                                                     \
    return one_of_pair(&state->boxmuller_flag, extra_normal, &state->boxmuller_extra,                    \
                       [&]() WARPLENS_ON_DEVICE { return curand_normal2(state); });                      \
  }                                                                                                      \
  WARPLENS_DEVICE double curand_normal_double(State* state) {                                            \
    using namespace warplens_random;                                                                     \
    return one_of_pair(&state->boxmuller_flag_double, extra_normal, &state->boxmuller_extra_double,      \
                       [&]() WARPLENS_ON_DEVICE { return curand_normal2_double(state); });               \
  }                                                                                                      \
  WARPLENS_DEVICE float curand_log_normal(State* state, float mean, float deviation) {                   \
    using namespace warplens_random;                                                                     \
    return one_of_pair(&state->boxmuller_flag, extra_log_normal, &state->boxmuller_extra,                \
                       [&]() WARPLENS_ON_DEVICE { return curand_log_normal2(state, mean, deviation); }); \
  }                                                                                                      \
  WARPLENS_DEVICE double curand_log_normal_double(State* state, double mean, double deviation) {         \
    using namespace warplens_random;                                                                     \
    return one_of_pair(                                                                                  \
        &state->boxmuller_flag_double, extra_log_normal, &state->boxmuller_extra_double,                 \
        [&]() WARPLENS_ON_DEVICE { return curand_log_normal2_double(state, mean, deviation); });         \
  }
#define WARPLENS_ON_DEVICE __attribute__((device, nodebug))
WARPLENS_NORMAL(curandStateXORWOW_t)
WARPLENS_NORMAL(curandStatePhilox4_32_10_t)
WARPLENS_NORMAL(curandStateMRG32k3a_t)
#undef WARPLENS_ON_DEVICE
#undef WARPLENS_NORMAL

#define WARPLENS_NORMAL(State)                                                                     \
  WARPLENS_DEVICE double curand_normal_double(State* state) {                                      \
    return normcdfinv(double(curand(state)) * 2.3283064365386963e-10 + 1.1641532182693481e-10);    \
  }                                                                                                \
  WARPLENS_DEVICE float curand_normal(State* state) { return float(curand_normal_double(state)); } \
  WARPLENS_DEVICE float curand_log_normal(State* state, float mean, float deviation) {             \
    return expf(mean + deviation * curand_normal(state));                                          \
  }                                                                                                \
  WARPLENS_DEVICE double curand_log_normal_double(State* state, double mean, double deviation) {   \
    return exp(mean + deviation * curand_normal_double(state));                                    \
  }
WARPLENS_NORMAL(curandStateSobol32_t)
WARPLENS_NORMAL(curandStateScrambledSobol32_t)
#undef WARPLENS_NORMAL

WARPLENS_DEVICE float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  const uint4 bits = curand4(state);
  const float2 one = warplens_random::normals_of(bits.x, bits.y);
  const float2 other = warplens_random::normals_of(bits.z, bits.w);
  return {one.x, one.y, other.x, other.y};
}
WARPLENS_DEVICE double4 curand_normal4_double(curandStatePhilox4_32_10_t* state) {
  const double2 one = warplens_random::normals_of(curand4(state));
  const double2 other = warplens_random::normals_of(curand4(state));
  return {one.x, one.y, other.x, other.y};
}
WARPLENS_DEVICE float4 curand_log_normal4(curandStatePhilox4_32_10_t* state, float mean, float deviation) {
  const float4 all = curand_normal4(state);
  const float2 one = warplens_random::log_normals_of({all.x, all.y}, mean, deviation);
  const float2 other = warplens_random::log_normals_of({all.z, all.w}, mean, deviation);
  return {one.x, one.y, other.x, other.y};
}
WARPLENS_DEVICE double4 curand_log_normal4_double(curandStatePhilox4_32_10_t* state, double mean,
                                                  double deviation) {
  const double4 all = curand_normal4_double(state);
  const double2 one = warplens_random::log_normals_of({all.x, all.y}, mean, deviation);
  const double2 other = warplens_random::log_normals_of({all.z, all.w}, mean, deviation);
  return {one.x, one.y, other.x, other.y};
}
