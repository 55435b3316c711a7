// The types and numbers of cuBLASLt's API (cuBLAS documentation, "cuBLASLt Datatypes Reference"), so that it
// is built without NVIDIA's headers. With WARPLENS_NVIDIA_HEADERS those take their place: then the compiler
// compares each function's signature (tests/tools/libraries_table_test.py).
#pragma once

#include "cuda/stand_in/libraries/blas/types.h"

#ifdef WARPLENS_NVIDIA_HEADERS
#include <cublasLt.h>
#else
#include "assets/cuda/blas_lt/enumerations.h"
#endif
