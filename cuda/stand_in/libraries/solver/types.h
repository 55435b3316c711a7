// The types and numbers of cuSOLVER's dense API (cuSOLVER documentation, "Types Reference"), so that it is
// built without NVIDIA's headers. With WARPLENS_NVIDIA_HEADERS those take their place: then the compiler
// compares each function's signature (tests/tools/libraries_table_test.py).
#pragma once

#include "cuda/stand_in/libraries/blas/types.h"

#ifdef WARPLENS_NVIDIA_HEADERS
#include <cusolverDn.h>
#else
#include "assets/cuda/solver/enumerations.h"
#endif
