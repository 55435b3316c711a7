// The functions that multiply matrices, each a row of gemm.h's struct.
#include "cuda/stand_in/libraries/blas/gemm.h"

using namespace warplens::blas;

extern "C" {

// NOLINTBEGIN(bugprone-macro-parentheses): arguments are types and parts of names.
#define FOR_TYPE(S, T, number, compute, version, Int, width)                                                 \
  cublasStatus_t cublas##S##gemm##version##width(                                                            \
      cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, Int m, Int n, Int k, const T* alpha, \
      const T* a, Int lda, const T* b, Int ldb, const T* beta, T* c, Int ldc) {                              \
    return gemm(h, {"cublas" #S "gemm",                                                                      \
                    op_a,                                                                                    \
                    op_b,                                                                                    \
                    m,                                                                                       \
                    n,                                                                                       \
                    k,                                                                                       \
                    alpha,                                                                                   \
                    beta,                                                                                    \
                    {a, number, lda, 0},                                                                     \
                    {b, number, ldb, 0},                                                                     \
                    {c, number, ldc, 0},                                                                     \
                    1,                                                                                       \
                    false,                                                                                   \
                    false,                                                                                   \
                    compute});                                                                               \
  }                                                                                                          \
  cublasStatus_t cublas##S##gemmBatched##width(cublasHandle_t h, cublasOperation_t op_a,                     \
                                               cublasOperation_t op_b, Int m, Int n, Int k, const T* alpha,  \
                                               const T* const a[], Int lda, const T* const b[], Int ldb,     \
                                               const T* beta, T* const c[], Int ldc, Int count) {            \
    return gemm(h, {"cublas" #S "gemmBatched",                                                               \
                    op_a,                                                                                    \
                    op_b,                                                                                    \
                    m,                                                                                       \
                    n,                                                                                       \
                    k,                                                                                       \
                    alpha,                                                                                   \
                    beta,                                                                                    \
                    {a, number, lda, 0},                                                                     \
                    {b, number, ldb, 0},                                                                     \
                    {c, number, ldc, 0},                                                                     \
                    count,                                                                                   \
                    true,                                                                                    \
                    true,                                                                                    \
                    compute});                                                                               \
  }                                                                                                          \
  cublasStatus_t cublas##S##gemmStridedBatched##width(                                                       \
      cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, Int m, Int n, Int k, const T* alpha, \
      const T* a, Int lda, long long stride_a, const T* b, Int ldb, long long stride_b, const T* beta, T* c, \
      Int ldc, long long stride_c, Int count) {                                                              \
    return gemm(h, {"cublas" #S "gemmStridedBatched",                                                        \
                    op_a,                                                                                    \
                    op_b,                                                                                    \
                    m,                                                                                       \
                    n,                                                                                       \
                    k,                                                                                       \
                    alpha,                                                                                   \
                    beta,                                                                                    \
                    {a, number, lda, stride_a},                                                              \
                    {b, number, ldb, stride_b},                                                              \
                    {c, number, ldc, stride_c},                                                              \
                    count,                                                                                   \
                    true,                                                                                    \
                    false,                                                                                   \
                    compute});                                                                               \
  }

#define FOR_ANY_TYPE(Int, width)                                                                           \
  cublasStatus_t cublasGemmEx##width(cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b,     \
                                     Int m, Int n, Int k, const void* alpha, const void* a,                \
                                     cudaDataType type_a, Int lda, const void* b, cudaDataType type_b,     \
                                     Int ldb, const void* beta, void* c, cudaDataType type_c, Int ldc,     \
                                     cublasComputeType_t compute, cublasGemmAlgo_t) {                      \
    return gemm(h, {"cublasGemmEx",                                                                        \
                    op_a,                                                                                  \
                    op_b,                                                                                  \
                    m,                                                                                     \
                    n,                                                                                     \
                    k,                                                                                     \
                    alpha,                                                                                 \
                    beta,                                                                                  \
                    {a, type_a, lda, 0},                                                                   \
                    {b, type_b, ldb, 0},                                                                   \
                    {c, type_c, ldc, 0},                                                                   \
                    1,                                                                                     \
                    false,                                                                                 \
                    false,                                                                                 \
                    compute});                                                                             \
  }                                                                                                        \
  cublasStatus_t cublasGemmBatchedEx##width(                                                               \
      cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, Int m, Int n, Int k,               \
      const void* alpha, const void* const a[], cudaDataType type_a, Int lda, const void* const b[],       \
      cudaDataType type_b, Int ldb, const void* beta, void* const c[], cudaDataType type_c, Int ldc,       \
      Int count, cublasComputeType_t compute, cublasGemmAlgo_t) {                                          \
    return gemm(h, {"cublasGemmBatchedEx",                                                                 \
                    op_a,                                                                                  \
                    op_b,                                                                                  \
                    m,                                                                                     \
                    n,                                                                                     \
                    k,                                                                                     \
                    alpha,                                                                                 \
                    beta,                                                                                  \
                    {a, type_a, lda, 0},                                                                   \
                    {b, type_b, ldb, 0},                                                                   \
                    {c, type_c, ldc, 0},                                                                   \
                    count,                                                                                 \
                    true,                                                                                  \
                    true,                                                                                  \
                    compute});                                                                             \
  }                                                                                                        \
  cublasStatus_t cublasGemmStridedBatchedEx##width(                                                        \
      cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, Int m, Int n, Int k,               \
      const void* alpha, const void* a, cudaDataType type_a, Int lda, long long stride_a, const void* b,   \
      cudaDataType type_b, Int ldb, long long stride_b, const void* beta, void* c, cudaDataType type_c,    \
      Int ldc, long long stride_c, Int count, cublasComputeType_t compute, cublasGemmAlgo_t) {             \
    return gemm(h, {"cublasGemmStridedBatchedEx",                                                          \
                    op_a,                                                                                  \
                    op_b,                                                                                  \
                    m,                                                                                     \
                    n,                                                                                     \
                    k,                                                                                     \
                    alpha,                                                                                 \
                    beta,                                                                                  \
                    {a, type_a, lda, stride_a},                                                            \
                    {b, type_b, ldb, stride_b},                                                            \
                    {c, type_c, ldc, stride_c},                                                            \
                    count,                                                                                 \
                    true,                                                                                  \
                    false,                                                                                 \
                    compute});                                                                             \
  }                                                                                                        \
  cublasStatus_t cublasSgemmEx##width(cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b,    \
                                      Int m, Int n, Int k, const float* alpha, const void* a,              \
                                      cudaDataType type_a, Int lda, const void* b, cudaDataType type_b,    \
                                      Int ldb, const float* beta, void* c, cudaDataType type_c, Int ldc) { \
    return gemm(h, {"cublasSgemmEx",                                                                       \
                    op_a,                                                                                  \
                    op_b,                                                                                  \
                    m,                                                                                     \
                    n,                                                                                     \
                    k,                                                                                     \
                    alpha,                                                                                 \
                    beta,                                                                                  \
                    {a, type_a, lda, 0},                                                                   \
                    {b, type_b, ldb, 0},                                                                   \
                    {c, type_c, ldc, 0},                                                                   \
                    1,                                                                                     \
                    false,                                                                                 \
                    false,                                                                                 \
                    CUBLAS_COMPUTE_32F});                                                                  \
  }

#define ALL(Int, width)                                                         \
  FOR_TYPE(S, float, CUDA_R_32F, CUBLAS_COMPUTE_32F, _v2, Int, width)           \
  FOR_TYPE(D, double, CUDA_R_64F, CUBLAS_COMPUTE_64F, _v2, Int, width)          \
  FOR_TYPE(C, cuComplex, CUDA_C_32F, CUBLAS_COMPUTE_32F, _v2, Int, width)       \
  FOR_TYPE(Z, cuDoubleComplex, CUDA_C_64F, CUBLAS_COMPUTE_64F, _v2, Int, width) \
  FOR_TYPE(H, __half, CUDA_R_16F, CUBLAS_COMPUTE_16F, , Int, width)             \
  FOR_ANY_TYPE(Int, width)
ALL(int, )
ALL(int64_t, _64)
#undef ALL
#undef FOR_ANY_TYPE
#undef FOR_TYPE
// NOLINTEND(bugprone-macro-parentheses)

}  // extern "C"
