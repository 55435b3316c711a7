// The types and numbers of cuRAND's API (cuRAND documentation, "Host API"), so that it is built without
// NVIDIA's header. With WARPLENS_NVIDIA_HEADERS that takes their place: then the compiler compares each
// function's signature (tests/tools/libraries_table_test.py).
#pragma once

#include <cudaTypedefs.h>  // and cuda.h
#include <library_types.h>

#include <cstddef>
#include <cstdint>

#ifdef WARPLENS_NVIDIA_HEADERS
#include <curand.h>
#else

struct CUstream_st;
using cudaStream_t = CUstream_st*;

enum curandStatus_t {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_INTERNAL_ERROR = 999
};
enum curandRngType_t {
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
};
enum curandOrdering_t {
  CURAND_ORDERING_PSEUDO_BEST = 100,
  CURAND_ORDERING_PSEUDO_DEFAULT = 101,
  CURAND_ORDERING_PSEUDO_LEGACY = 103,
  CURAND_ORDERING_QUASI_DEFAULT = 201
};
using curandGenerator_t = struct curandGenerator_st*;
#endif
