// The types and numbers of cuBLAS's API (cuBLAS documentation, 2.2 "cuBLAS Datatypes Reference"), so that it
// is built without NVIDIA's headers for it. With WARPLENS_NVIDIA_HEADERS those take their place: then the
// compiler compares each function's signature (tests/tools/libraries_table_test.py).
#pragma once

#include <cuComplex.h>
#include <cudaTypedefs.h>  // and cuda.h
#include <library_types.h>

#include <cstddef>
#include <cstdint>

#ifdef WARPLENS_NVIDIA_HEADERS
#include <cublas_api.h>
#else

struct __half;  // NOLINT(bugprone-reserved-identifier): NVIDIA's name
struct CUstream_st;
using cudaStream_t = CUstream_st*;

#include "assets/cuda/blas/enumerations.h"
#endif
