// cuBLASLt's API, of CUDA 12.9, for C and C++: what works in the library of WarpLens
// (cuda/stand_in/libraries/blas_lt). A call that it refuses is not declared.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "cublas_api.h"
// It needs those above it.
#include "blas_lt/enumerations.h"

// clang-format off
#ifdef __cplusplus
extern "C" {
#endif
#include "blas_lt/functions.h"
static inline cublasStatus_t cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t layout, cudaDataType type, uint64_t rows, uint64_t columns,
                                                      int64_t ld) {
  return cublasLtMatrixLayoutInit_internal(layout, sizeof(*layout), type, rows, columns, ld);
}
static inline cublasStatus_t cublasLtMatmulDescInit(cublasLtMatmulDesc_t matmul, cublasComputeType_t compute, cudaDataType_t scale) {
  return cublasLtMatmulDescInit_internal(matmul, sizeof(*matmul), compute, scale);
}
static inline cublasStatus_t cublasLtMatrixTransformDescInit(cublasLtMatrixTransformDesc_t transform, cudaDataType scale) {
  return cublasLtMatrixTransformDescInit_internal(transform, sizeof(*transform), scale);
}
static inline cublasStatus_t cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t preference) {
  return cublasLtMatmulPreferenceInit_internal(preference, sizeof(*preference));
}
#ifdef __cplusplus
}
#endif
