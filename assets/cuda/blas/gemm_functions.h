// The general product in all its forms (cuBLAS documentation, 2.7 and 2.8).
#pragma once

#define WARPLENS_BLAS_TYPE(S, T, version, Int, width)                                                       \
  cublasStatus_t cublas##S##gemm##version##width(                                                           \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, Int m, Int n, Int k,           \
      const T* alpha, const T* a, Int lda, const T* b, Int ldb, const T* beta, T* c, Int ldc);              \
  cublasStatus_t cublas##S##gemmBatched##width(cublasHandle_t handle, cublasOperation_t op_a,               \
                                               cublasOperation_t op_b, Int m, Int n, Int k, const T* alpha, \
                                               const T* const a[], Int lda, const T* const b[], Int ldb,    \
                                               const T* beta, T* const c[], Int ldc, Int count);            \
  cublasStatus_t cublas##S##gemmStridedBatched##width(                                                      \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, Int m, Int n, Int k,           \
      const T* alpha, const T* a, Int lda, long long stride_a, const T* b, Int ldb, long long stride_b,     \
      const T* beta, T* c, Int ldc, long long stride_c, Int count);
#define WARPLENS_BLAS_ANY_TYPE(Int, width)                                                                   \
  cublasStatus_t cublasGemmEx##width(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,  \
                                     Int m, Int n, Int k, const void* alpha, const void* a,                  \
                                     cudaDataType type_a, Int lda, const void* b, cudaDataType type_b,       \
                                     Int ldb, const void* beta, void* c, cudaDataType type_c, Int ldc,       \
                                     cublasComputeType_t compute, cublasGemmAlgo_t algorithm);               \
  cublasStatus_t cublasGemmBatchedEx##width(                                                                 \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, Int m, Int n, Int k,            \
      const void* alpha, const void* const a[], cudaDataType type_a, Int lda, const void* const b[],         \
      cudaDataType type_b, Int ldb, const void* beta, void* const c[], cudaDataType type_c, Int ldc,         \
      Int count, cublasComputeType_t compute, cublasGemmAlgo_t algorithm);                                   \
  cublasStatus_t cublasGemmStridedBatchedEx##width(                                                          \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, Int m, Int n, Int k,            \
      const void* alpha, const void* a, cudaDataType type_a, Int lda, long long stride_a, const void* b,     \
      cudaDataType type_b, Int ldb, long long stride_b, const void* beta, void* c, cudaDataType type_c,      \
      Int ldc, long long stride_c, Int count, cublasComputeType_t compute, cublasGemmAlgo_t algorithm);      \
  cublasStatus_t cublasSgemmEx##width(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, \
                                      Int m, Int n, Int k, const float* alpha, const void* a,                \
                                      cudaDataType type_a, Int lda, const void* b, cudaDataType type_b,      \
                                      Int ldb, const float* beta, void* c, cudaDataType type_c, Int ldc);
#define WARPLENS_BLAS_PRODUCTS(Int, width)                \
  WARPLENS_BLAS_TYPE(S, float, _v2, Int, width)           \
  WARPLENS_BLAS_TYPE(D, double, _v2, Int, width)          \
  WARPLENS_BLAS_TYPE(C, cuComplex, _v2, Int, width)       \
  WARPLENS_BLAS_TYPE(Z, cuDoubleComplex, _v2, Int, width) \
  WARPLENS_BLAS_ANY_TYPE(Int, width)
WARPLENS_BLAS_PRODUCTS(int, )
WARPLENS_BLAS_PRODUCTS(int64_t, _64)
// C has no __half.
#ifdef __cplusplus
WARPLENS_BLAS_TYPE(H, __half, , int, )
WARPLENS_BLAS_TYPE(H, __half, , int64_t, _64)
#endif
#undef WARPLENS_BLAS_TYPE
#undef WARPLENS_BLAS_ANY_TYPE
#undef WARPLENS_BLAS_PRODUCTS
