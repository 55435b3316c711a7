// The state that a cublasHandle_t names, and how each function of cuBLAS begins.
#pragma once

#include <string>
#include <utility>

#include "cuda/stand_in/libraries/blas/types.h"
#include "cuda/stand_in/libraries/shared/number.h"
#include "cuda/stand_in/libraries/shared/scalar.h"
#include "cuda/stand_in/libraries/shared/work.h"

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
  int sms = 0;  // cublasSetSmCountTarget
};

namespace warplens::blas {

using libraries::Call;
using libraries::Memory;
using libraries::Strided;

using libraries::conjugate;
using libraries::is_complex;
using libraries::operations_of;
using libraries::Real;
using libraries::unit_of;
using libraries::Value;

inline bool on_device(const cublasContext& handle) {
  return handle.pointer_mode == CUBLAS_POINTER_MODE_DEVICE;
}
template <class T>
struct Scalar : libraries::Scalar<T> {
  Scalar() = default;
  Scalar(const cublasContext& handle, const void* pointer)
      : libraries::Scalar<T>(on_device(handle), pointer) {}
};
template <class T>
struct Result : libraries::Result<T> {
  Result(const cublasContext& handle, T* to) : libraries::Result<T>(on_device(handle), to) {}
};

cublasStatus_t status_of(CUresult code);

inline bool is_operation(cublasOperation_t op) {
  return op == CUBLAS_OP_N || op == CUBLAS_OP_T || op == CUBLAS_OP_C;
}
inline bool is_triangle(cublasFillMode_t part) {
  return part == CUBLAS_FILL_MODE_LOWER || part == CUBLAS_FILL_MODE_UPPER;
}
inline bool is_diagonal(cublasDiagType_t diagonal) {
  return diagonal == CUBLAS_DIAG_NON_UNIT || diagonal == CUBLAS_DIAG_UNIT;
}
inline bool is_side(cublasSideMode_t side) { return side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT; }
inline bool fits(int64_t ld, int64_t rows) { return ld >= (rows > 1 ? rows : 1); }

// body(const Memory&) → bool, on the handle's stream.
template <class Body>
cublasStatus_t run(const cublasContext& handle, const Call& call, Body body) {
  return status_of(libraries::run_on(handle.stream, call, std::move(body)));
}

}  // namespace warplens::blas
