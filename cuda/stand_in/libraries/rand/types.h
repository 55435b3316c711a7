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

#include "assets/cuda/random/enumerations.h"
#endif
