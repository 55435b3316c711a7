// Level 1: vectors (cuBLAS documentation, 2.5).
#pragma once

#define WARPLENS_BLAS_TYPE(S, s, T, Int, width)                                                           \
  cublasStatus_t cublas##S##axpy_v2##width(cublasHandle_t handle, Int n, const T* alpha, const T* x,      \
                                           Int step_x, T* y, Int step_y);                                 \
  cublasStatus_t cublas##S##scal_v2##width(cublasHandle_t handle, Int n, const T* alpha, T* x, Int step); \
  cublasStatus_t cublas##S##copy_v2##width(cublasHandle_t handle, Int n, const T* x, Int step_x, T* y,    \
                                           Int step_y);                                                   \
  cublasStatus_t cublas##S##swap_v2##width(cublasHandle_t handle, Int n, T* x, Int step_x, T* y,          \
                                           Int step_y);                                                   \
  cublasStatus_t cublasI##s##amax_v2##width(cublasHandle_t handle, Int n, const T* x, Int step, Int* to); \
  cublasStatus_t cublasI##s##amin_v2##width(cublasHandle_t handle, Int n, const T* x, Int step, Int* to);
#define WARPLENS_BLAS_NORM(S, T, Real, Int, width)                                                        \
  cublasStatus_t cublas##S##asum_v2##width(cublasHandle_t handle, Int n, const T* x, Int step, Real* to); \
  cublasStatus_t cublas##S##nrm2_v2##width(cublasHandle_t handle, Int n, const T* x, Int step, Real* to);
#define WARPLENS_BLAS_DOT(S, T, Int, width)                                                              \
  cublasStatus_t cublas##S##_v2##width(cublasHandle_t handle, Int n, const T* x, Int step_x, const T* y, \
                                       Int step_y, T* to);
#define WARPLENS_BLAS_ROTATION(S, T, Int, width)                                                            \
  cublasStatus_t cublas##S##rot_v2##width(cublasHandle_t handle, Int n, T* x, Int step_x, T* y, Int step_y, \
                                          const T* cosine, const T* sine);
#define WARPLENS_BLAS_REAL_FACTOR(S, T, Real, Int, width) \
  cublasStatus_t cublas##S##scal_v2##width(cublasHandle_t handle, Int n, const Real* alpha, T* x, Int step);
#define WARPLENS_BLAS_VECTORS(Int, width)                     \
  WARPLENS_BLAS_TYPE(S, s, float, Int, width)                 \
  WARPLENS_BLAS_TYPE(D, d, double, Int, width)                \
  WARPLENS_BLAS_TYPE(C, c, cuComplex, Int, width)             \
  WARPLENS_BLAS_TYPE(Z, z, cuDoubleComplex, Int, width)       \
  WARPLENS_BLAS_NORM(S, float, float, Int, width)             \
  WARPLENS_BLAS_NORM(D, double, double, Int, width)           \
  WARPLENS_BLAS_NORM(Sc, cuComplex, float, Int, width)        \
  WARPLENS_BLAS_NORM(Dz, cuDoubleComplex, double, Int, width) \
  WARPLENS_BLAS_DOT(Sdot, float, Int, width)                  \
  WARPLENS_BLAS_DOT(Ddot, double, Int, width)                 \
  WARPLENS_BLAS_DOT(Cdotu, cuComplex, Int, width)             \
  WARPLENS_BLAS_DOT(Cdotc, cuComplex, Int, width)             \
  WARPLENS_BLAS_DOT(Zdotu, cuDoubleComplex, Int, width)       \
  WARPLENS_BLAS_DOT(Zdotc, cuDoubleComplex, Int, width)       \
  WARPLENS_BLAS_ROTATION(S, float, Int, width)                \
  WARPLENS_BLAS_ROTATION(D, double, Int, width)               \
  WARPLENS_BLAS_REAL_FACTOR(Cs, cuComplex, float, Int, width) \
  WARPLENS_BLAS_REAL_FACTOR(Zd, cuDoubleComplex, double, Int, width)
WARPLENS_BLAS_VECTORS(int, )
WARPLENS_BLAS_VECTORS(int64_t, _64)
#undef WARPLENS_BLAS_TYPE
#undef WARPLENS_BLAS_NORM
#undef WARPLENS_BLAS_DOT
#undef WARPLENS_BLAS_ROTATION
#undef WARPLENS_BLAS_REAL_FACTOR
#undef WARPLENS_BLAS_VECTORS
