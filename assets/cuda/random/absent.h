// The missing parts of cuRAND's device API: each one reports this where it is used.
#pragma once
#include "random/states.h"

#define WARPLENS_ABSENT(instead) __attribute__((unavailable(instead)))
#define WARPLENS_NO_MTGP                                                             \
  "clang has no MTGP32 here: take curandStatePhilox4_32_10_t, or compile with nvcc " \
  "(WARPLENS_COMPILER=nvrtc)"
#define WARPLENS_NO_SOBOL64                                                                        \
  "clang has no Sobol sequences of 64 bits here: take curandStateSobol32_t, or compile with nvcc " \
  "(WARPLENS_COMPILER=nvrtc)"
#define WARPLENS_NO_TABLES                                                                \
  "clang has no tables of distributions here: call curand_poisson, or compile with nvcc " \
  "(WARPLENS_COMPILER=nvrtc)"
#define WARPLENS_NO_POISSON_OF_SOBOL                                                                     \
  "clang has no Poisson numbers of a Sobol sequence here: take another generator, or compile with nvcc " \
  "(WARPLENS_COMPILER=nvrtc)"

typedef struct curandStateMtgp32 curandStateMtgp32 WARPLENS_ABSENT(WARPLENS_NO_MTGP);
typedef struct curandStateMtgp32 curandStateMtgp32_t WARPLENS_ABSENT(WARPLENS_NO_MTGP);
typedef struct curandStateSobol64 curandStateSobol64 WARPLENS_ABSENT(WARPLENS_NO_SOBOL64);
typedef struct curandStateSobol64 curandStateSobol64_t WARPLENS_ABSENT(WARPLENS_NO_SOBOL64);
typedef struct curandStateScrambledSobol64 curandStateScrambledSobol64 WARPLENS_ABSENT(WARPLENS_NO_SOBOL64);
typedef struct curandStateScrambledSobol64 curandStateScrambledSobol64_t WARPLENS_ABSENT(WARPLENS_NO_SOBOL64);

template <class State, class Table>
__device__ unsigned int curand_discrete(State* state, Table table) WARPLENS_ABSENT(WARPLENS_NO_TABLES);
template <class State, class Table>
__device__ uint4 curand_discrete4(State* state, Table table) WARPLENS_ABSENT(WARPLENS_NO_TABLES);
__device__ unsigned int curand_poisson(curandStateSobol32_t* state, double mean)
    WARPLENS_ABSENT(WARPLENS_NO_POISSON_OF_SOBOL);
__device__ unsigned int curand_poisson(curandStateScrambledSobol32_t* state, double mean)
    WARPLENS_ABSENT(WARPLENS_NO_POISSON_OF_SOBOL);
#undef WARPLENS_ABSENT
