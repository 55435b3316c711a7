// C++ programs may name the type of the computation as before CUDA 11 (cuBLAS documentation, 2.8.12
// "cublasGemmEx()").
#pragma once

static inline cublasStatus_t warplens_compute_type(cudaDataType type, cublasComputeType_t* compute) {
  switch (type) {
    case CUDA_R_16F:
      *compute = CUBLAS_COMPUTE_16F;
      return CUBLAS_STATUS_SUCCESS;
    case CUDA_R_32F:
    case CUDA_C_32F:
      *compute = CUBLAS_COMPUTE_32F;
      return CUBLAS_STATUS_SUCCESS;
    case CUDA_R_64F:
    case CUDA_C_64F:
      *compute = CUBLAS_COMPUTE_64F;
      return CUBLAS_STATUS_SUCCESS;
    case CUDA_R_32I:
      *compute = CUBLAS_COMPUTE_32I;
      return CUBLAS_STATUS_SUCCESS;
    default:
      return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}

static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a,
                                          cublasOperation_t op_b, int m, int n, int k, const void* alpha,
                                          const void* a, cudaDataType type_a, int lda, const void* b,
                                          cudaDataType type_b, int ldb, const void* beta, void* c,
                                          cudaDataType type_c, int ldc, cudaDataType compute_type,
                                          cublasGemmAlgo_t algorithm) {
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  const cublasStatus_t status = warplens_compute_type(compute_type, &compute);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  return cublasGemmEx(handle, op_a, op_b, m, n, k, alpha, a, type_a, lda, b, type_b, ldb, beta, c, type_c,
                      ldc, compute, algorithm);
}

static inline cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t op_a,
                                                 cublasOperation_t op_b, int m, int n, int k,
                                                 const void* alpha, const void* const a[],
                                                 cudaDataType type_a, int lda, const void* const b[],
                                                 cudaDataType type_b, int ldb, const void* beta,
                                                 void* const c[], cudaDataType type_c, int ldc, int count,
                                                 cudaDataType compute_type, cublasGemmAlgo_t algorithm) {
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  const cublasStatus_t status = warplens_compute_type(compute_type, &compute);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  return cublasGemmBatchedEx(handle, op_a, op_b, m, n, k, alpha, a, type_a, lda, b, type_b, ldb, beta, c,
                             type_c, ldc, count, compute, algorithm);
}

static inline cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,
    const void* alpha, const void* a, cudaDataType type_a, int lda, long long stride_a, const void* b,
    cudaDataType type_b, int ldb, long long stride_b, const void* beta, void* c, cudaDataType type_c, int ldc,
    long long stride_c, int count, cudaDataType compute_type, cublasGemmAlgo_t algorithm) {
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  const cublasStatus_t status = warplens_compute_type(compute_type, &compute);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  return cublasGemmStridedBatchedEx(handle, op_a, op_b, m, n, k, alpha, a, type_a, lda, stride_a, b, type_b,
                                    ldb, stride_b, beta, c, type_c, ldc, stride_c, count, compute, algorithm);
}
