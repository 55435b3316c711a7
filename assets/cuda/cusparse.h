// cuSPARSE's API, of CUDA 12.9, for C and C++: what works in the library of WarpLens
// (cuda/stand_in/libraries/sparse). A call that it refuses is not declared.
#pragma once
// Programs ask by this name whether the header is there, as helper_cuda.h of NVIDIA's samples does.
#define CUSPARSE_H_
#include <stdint.h>

#include "cuComplex.h"
#include "driver_types.h"
#include "library_types.h"

#define CUSPARSE_VER_MAJOR 12
#define CUSPARSE_VER_MINOR 5
#define CUSPARSE_VER_PATCH 10
#define CUSPARSE_VER_BUILD 65
#define CUSPARSE_VERSION (CUSPARSE_VER_MAJOR * 1000 + CUSPARSE_VER_MINOR * 100 + CUSPARSE_VER_PATCH)
#define CUSPARSEAPI

// Each header needs those above it.
// clang-format off
#include "sparse/enumerations.h"
#ifdef __cplusplus
extern "C" {
#endif
#include "sparse/handle_functions.h"
#include "sparse/descriptor_functions.h"
#include "sparse/product_functions.h"
#include "sparse/conversion_functions.h"
#ifdef __cplusplus
}
#endif
