// The general product of matrices, one or many.
#pragma once

#include "cuda/stand_in/libraries/blas/handle.h"

namespace warplens::blas {

struct GemmOperand {
  const void* address = nullptr;  // of the matrix; where there are pointers, of the array of them
  cudaDataType type = CUDA_R_32F;
  int64_t ld = 1;
  int64_t stride = 0;  // elements from one matrix to the next
};

struct Gemm {
  const char* name = nullptr;
  cublasOperation_t op_a = CUBLAS_OP_N, op_b = CUBLAS_OP_N;
  int64_t m = 0, n = 0, k = 0;
  const void *alpha = nullptr, *beta = nullptr;
  GemmOperand a, b, c;
  int64_t count = 1;
  bool is_batch = false;
  bool by_pointers = false;  // the addresses lie in arrays on the device
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
};

cublasStatus_t gemm(cublasHandle_t handle, const Gemm& asked);

}  // namespace warplens::blas
