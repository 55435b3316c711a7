// The types and numbers of cuFFT's API (cuFFT documentation, "cuFFT API Reference"), so that it is built
// without NVIDIA's headers. With WARPLENS_NVIDIA_HEADERS those take their place: then the compiler compares
// each function's signature (tests/tools/libraries_table_test.py).
#pragma once

#include <cuComplex.h>
#include <cudaTypedefs.h>  // and cuda.h
#include <library_types.h>

#include <cstddef>
#include <cstdint>

#ifdef WARPLENS_NVIDIA_HEADERS
#include <cufft.h>
#include <cufftXt.h>
#else

struct CUstream_st;
using cudaStream_t = CUstream_st*;

#include "assets/cuda/fft/enumerations.h"
#endif
