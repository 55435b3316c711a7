// The types and numbers of NCCL's API (NCCL documentation, "Types"), so that it is built without NVIDIA's
// header. With WARPLENS_NVIDIA_HEADERS that takes their place: then the compiler compares each function's
// signature (tests/tools/libraries_table_test.py).
#pragma once

#include <cudaTypedefs.h>  // and cuda.h

#include <climits>
#include <cstddef>
#include <cstdint>

#ifdef WARPLENS_NVIDIA_HEADERS
#include <nccl.h>
#else

struct CUstream_st;
using cudaStream_t = CUstream_st*;

#include "assets/cuda/nccl/types.h"
#endif
