// cuSOLVER's dense API, of CUDA 12.9, for C and C++: what works in the library of WarpLens
// (cuda/stand_in/libraries/solver). A call that it refuses is not declared.
#pragma once
// Programs ask by this name whether the header is there, as helper_cuda.h of NVIDIA's samples does.
#define CUSOLVERDN_H_
#include <stdint.h>

#include "cuComplex.h"
#include "cublas_v2.h"
#include "cusolver_common.h"
#include "library_types.h"

// Each header needs those above it.
// clang-format off
#ifdef __cplusplus
extern "C" {
#endif
cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream);
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t* stream);
#include "solver/factor_functions.h"
#include "solver/spectral_functions.h"
#include "solver/general_functions.h"
#ifdef __cplusplus
}
#endif
