// The types and numbers of cuSPARSE's API (cuSPARSE documentation, "Types Reference"), so that it is built
// without NVIDIA's headers. With WARPLENS_NVIDIA_HEADERS those take their place: then the compiler compares
// each function's signature (tests/tools/libraries_table_test.py).
#pragma once

#include <cuComplex.h>
#include <cudaTypedefs.h>  // and cuda.h
#include <library_types.h>

#include <cstddef>
#include <cstdint>

#ifdef WARPLENS_NVIDIA_HEADERS
#include <cusparse.h>
#else

struct CUstream_st;
using cudaStream_t = CUstream_st*;

#include "assets/cuda/sparse/enumerations.h"
#endif
