// Batches of small systems: LU factors, solutions, inverses, triangles (cuBLAS documentation, 2.8).
#pragma once

#define WARPLENS_BLAS_BATCHED(S, T)                                                                        \
  cublasStatus_t cublas##S##getrfBatched(cublasHandle_t handle, int n, T* const a[], int lda, int* pivots, \
                                         int* info, int count);                                            \
  cublasStatus_t cublas##S##getrsBatched(cublasHandle_t handle, cublasOperation_t op, int n, int columns,  \
                                         const T* const a[], int lda, const int* pivots, T* const b[],     \
                                         int ldb, int* info, int count);                                   \
  cublasStatus_t cublas##S##getriBatched(cublasHandle_t handle, int n, const T* const a[], int lda,        \
                                         const int* pivots, T* const c[], int ldc, int* info, int count);  \
  cublasStatus_t cublas##S##matinvBatched(cublasHandle_t handle, int n, const T* const a[], int lda,       \
                                          T* const inverse[], int ldi, int* info, int count);
#define WARPLENS_BLAS_BATCHED_TRIANGLES(S, T, Int, width)                                                 \
  cublasStatus_t cublas##S##trsmBatched##width(                                                           \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t part, cublasOperation_t op,          \
      cublasDiagType_t diagonal, Int m, Int n, const T* alpha, const T* const a[], Int lda, T* const b[], \
      Int ldb, Int count);
#define WARPLENS_BLAS_ALL(S, T)                \
  WARPLENS_BLAS_BATCHED(S, T)                  \
  WARPLENS_BLAS_BATCHED_TRIANGLES(S, T, int, ) \
  WARPLENS_BLAS_BATCHED_TRIANGLES(S, T, int64_t, _64)
WARPLENS_BLAS_ALL(S, float)
WARPLENS_BLAS_ALL(D, double)
WARPLENS_BLAS_ALL(C, cuComplex)
WARPLENS_BLAS_ALL(Z, cuDoubleComplex)
#undef WARPLENS_BLAS_ALL
#undef WARPLENS_BLAS_BATCHED_TRIANGLES
#undef WARPLENS_BLAS_BATCHED
