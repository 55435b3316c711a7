// Levels 2 and 3 but the general product, and what NVIDIA adds to it (cuBLAS documentation, 2.6 to 2.8).
#pragma once

#define WARPLENS_BLAS_TYPE(S, T, Int, width)                                                              \
  cublasStatus_t cublas##S##gemv_v2##width(cublasHandle_t handle, cublasOperation_t op, Int m, Int n,     \
                                           const T* alpha, const T* a, Int lda, const T* x, Int step_x,   \
                                           const T* beta, T* y, Int step_y);                              \
  cublasStatus_t cublas##S##trmv_v2##width(cublasHandle_t handle, cublasFillMode_t part,                  \
                                           cublasOperation_t op, cublasDiagType_t diagonal, Int n,        \
                                           const T* a, Int lda, T* x, Int step);                          \
  cublasStatus_t cublas##S##trsv_v2##width(cublasHandle_t handle, cublasFillMode_t part,                  \
                                           cublasOperation_t op, cublasDiagType_t diagonal, Int n,        \
                                           const T* a, Int lda, T* x, Int step);                          \
  cublasStatus_t cublas##S##trmm_v2##width(cublasHandle_t handle, cublasSideMode_t side,                  \
                                           cublasFillMode_t part, cublasOperation_t op,                   \
                                           cublasDiagType_t diagonal, Int m, Int n, const T* alpha,       \
                                           const T* a, Int lda, const T* b, Int ldb, T* c, Int ldc);      \
  cublasStatus_t cublas##S##trsm_v2##width(                                                               \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t part, cublasOperation_t op,          \
      cublasDiagType_t diagonal, Int m, Int n, const T* alpha, const T* a, Int lda, T* b, Int ldb);       \
  cublasStatus_t cublas##S##geam##width(cublasHandle_t handle, cublasOperation_t op_a,                    \
                                        cublasOperation_t op_b, Int m, Int n, const T* alpha, const T* a, \
                                        Int lda, const T* beta, const T* b, Int ldb, T* c, Int ldc);      \
  cublasStatus_t cublas##S##dgmm##width(cublasHandle_t handle, cublasSideMode_t side, Int m, Int n,       \
                                        const T* a, Int lda, const T* x, Int step, T* c, Int ldc);
#define WARPLENS_BLAS_SYMMETRIC_VECTOR(S, T, Int, width)                                                    \
  cublasStatus_t cublas##S##_v2##width(cublasHandle_t handle, cublasFillMode_t part, Int n, const T* alpha, \
                                       const T* a, Int lda, const T* x, Int step_x, const T* beta, T* y,    \
                                       Int step_y);
#define WARPLENS_BLAS_OUTER(S, T, Int, width)                                                           \
  cublasStatus_t cublas##S##_v2##width(cublasHandle_t handle, Int m, Int n, const T* alpha, const T* x, \
                                       Int step_x, const T* y, Int step_y, T* a, Int lda);
#define WARPLENS_BLAS_SYMMETRIC(S, T, Int, width)                                                           \
  cublasStatus_t cublas##S##_v2##width(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t part, \
                                       Int m, Int n, const T* alpha, const T* a, Int lda, const T* b,       \
                                       Int ldb, const T* beta, T* c, Int ldc);
#define WARPLENS_BLAS_RANK_K(S, T, Factor, Int, width)                                                     \
  cublasStatus_t cublas##S##_v2##width(cublasHandle_t handle, cublasFillMode_t part, cublasOperation_t op, \
                                       Int n, Int k, const Factor* alpha, const T* a, Int lda,             \
                                       const Factor* beta, T* c, Int ldc);
#define WARPLENS_BLAS_MATRICES(Int, width)                                  \
  WARPLENS_BLAS_TYPE(S, float, Int, width)                                  \
  WARPLENS_BLAS_TYPE(D, double, Int, width)                                 \
  WARPLENS_BLAS_TYPE(C, cuComplex, Int, width)                              \
  WARPLENS_BLAS_TYPE(Z, cuDoubleComplex, Int, width)                        \
  WARPLENS_BLAS_SYMMETRIC_VECTOR(Ssymv, float, Int, width)                  \
  WARPLENS_BLAS_SYMMETRIC_VECTOR(Dsymv, double, Int, width)                 \
  WARPLENS_BLAS_SYMMETRIC_VECTOR(Csymv, cuComplex, Int, width)              \
  WARPLENS_BLAS_SYMMETRIC_VECTOR(Zsymv, cuDoubleComplex, Int, width)        \
  WARPLENS_BLAS_SYMMETRIC_VECTOR(Chemv, cuComplex, Int, width)              \
  WARPLENS_BLAS_SYMMETRIC_VECTOR(Zhemv, cuDoubleComplex, Int, width)        \
  WARPLENS_BLAS_OUTER(Sger, float, Int, width)                              \
  WARPLENS_BLAS_OUTER(Dger, double, Int, width)                             \
  WARPLENS_BLAS_OUTER(Cgeru, cuComplex, Int, width)                         \
  WARPLENS_BLAS_OUTER(Cgerc, cuComplex, Int, width)                         \
  WARPLENS_BLAS_OUTER(Zgeru, cuDoubleComplex, Int, width)                   \
  WARPLENS_BLAS_OUTER(Zgerc, cuDoubleComplex, Int, width)                   \
  WARPLENS_BLAS_SYMMETRIC(Ssymm, float, Int, width)                         \
  WARPLENS_BLAS_SYMMETRIC(Dsymm, double, Int, width)                        \
  WARPLENS_BLAS_SYMMETRIC(Csymm, cuComplex, Int, width)                     \
  WARPLENS_BLAS_SYMMETRIC(Zsymm, cuDoubleComplex, Int, width)               \
  WARPLENS_BLAS_SYMMETRIC(Chemm, cuComplex, Int, width)                     \
  WARPLENS_BLAS_SYMMETRIC(Zhemm, cuDoubleComplex, Int, width)               \
  WARPLENS_BLAS_RANK_K(Ssyrk, float, float, Int, width)                     \
  WARPLENS_BLAS_RANK_K(Dsyrk, double, double, Int, width)                   \
  WARPLENS_BLAS_RANK_K(Csyrk, cuComplex, cuComplex, Int, width)             \
  WARPLENS_BLAS_RANK_K(Zsyrk, cuDoubleComplex, cuDoubleComplex, Int, width) \
  WARPLENS_BLAS_RANK_K(Cherk, cuComplex, float, Int, width)                 \
  WARPLENS_BLAS_RANK_K(Zherk, cuDoubleComplex, double, Int, width)
WARPLENS_BLAS_MATRICES(int, )
WARPLENS_BLAS_MATRICES(int64_t, _64)
#undef WARPLENS_BLAS_TYPE
#undef WARPLENS_BLAS_SYMMETRIC_VECTOR
#undef WARPLENS_BLAS_OUTER
#undef WARPLENS_BLAS_SYMMETRIC
#undef WARPLENS_BLAS_RANK_K
#undef WARPLENS_BLAS_MATRICES
