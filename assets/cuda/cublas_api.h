// cuBLAS's API, of CUDA 12.9, for C and C++: what works in the library of WarpLens
// (cuda/stand_in/libraries/blas). A call that it refuses is not declared.
#pragma once
// Programs ask by this name whether the header is there, as helper_cuda.h of NVIDIA's samples does.
#define CUBLAS_API_H_
#include <stdint.h>

#include "cuComplex.h"
#include "driver_types.h"
#include "library_types.h"
#ifdef __cplusplus
#include "cuda_fp16.h"
#endif

#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 9
#define CUBLAS_VER_PATCH 1
#define CUBLAS_VER_BUILD 4
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)
#define CUBLASAPI
#define CUBLASWINAPI

// Each header needs those above it.
// clang-format off
#include "blas/enumerations.h"
#ifdef __cplusplus
extern "C" {
#endif
#include "blas/handle_functions.h"
#include "blas/vector_functions.h"
#include "blas/batched_functions.h"
#include "blas/matrix_functions.h"
#include "blas/gemm_functions.h"
#ifdef __cplusplus
}
#include "blas/gemm_overloads.h"
#endif
