// What lies in cuBLASLt's descriptors, which programs may keep in their own memory.
#pragma once

#include <cstring>

#include "cuda/stand_in/libraries/blas_lt/types.h"

namespace warplens::blas_lt {

struct Layout {
  cudaDataType type = CUDA_R_32F;
  int32_t order = CUBLASLT_ORDER_COL;
  uint64_t rows = 0, columns = 0;
  int64_t ld = 0;
  int32_t batch = 1;
  int64_t stride = 0;  // elements from one matrix of a batch to the next
};

struct Matmul {
  int32_t compute = CUBLAS_COMPUTE_32F, scale = CUDA_R_32F;
  int32_t pointer_mode = CUBLASLT_POINTER_MODE_HOST;
  int32_t op_a = CUBLAS_OP_N, op_b = CUBLAS_OP_N, op_c = CUBLAS_OP_N;
  int32_t fill = CUBLAS_FILL_MODE_FULL;
  uint32_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const void* bias = nullptr;
  int64_t bias_stride = 0;
  int32_t bias_type = -1;  // that of D
  int32_t sms = 0;         // no effect
  int8_t fast = 0;         // no effect
};

struct Transform {
  int32_t scale = CUDA_R_32F, pointer_mode = CUBLASLT_POINTER_MODE_HOST;
  int32_t op_a = CUBLAS_OP_N, op_b = CUBLAS_OP_N;
};

// Nothing depends on them, since there is one algorithm, which needs no memory of the device.
struct Preference {
  uint32_t search = 0, reductions = ~0u;
  uint64_t most_bytes = 0;
  uint32_t alignment[4] = {256, 256, 256, 256};
  float most_waves = 0;
  uint64_t implementations = ~uint64_t{0};
};

template <class T, class Opaque>
T in(const Opaque* at) {
  static_assert(sizeof(T) <= sizeof(Opaque));
  T value;
  std::memcpy(static_cast<void*>(&value), at, sizeof value);
  return value;
}
template <class T, class Opaque>
void put(Opaque* at, const T& value) {
  static_assert(sizeof(T) <= sizeof(Opaque));
  std::memcpy(at, &value, sizeof value);
}

}  // namespace warplens::blas_lt
