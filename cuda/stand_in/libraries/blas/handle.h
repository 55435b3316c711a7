// The state that a cublasHandle_t names, and how each function of cuBLAS begins.
#pragma once

#include <complex>
#include <string>
#include <type_traits>
#include <utility>

#include "cuda/stand_in/libraries/blas/types.h"
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

// cuComplex is two floats, as std::complex<float> is.
template <class T>
struct ValueOf {
  using type = T;
};
template <>
struct ValueOf<cuComplex> {
  using type = std::complex<float>;
};
template <>
struct ValueOf<cuDoubleComplex> {
  using type = std::complex<double>;
};
template <class T>
using Value = typename ValueOf<std::remove_const_t<T>>::type;

template <class T>
constexpr bool is_complex = false;
template <class R>
constexpr bool is_complex<std::complex<R>> = true;
template <class T>
using Real = decltype(std::abs(T{}));
template <class T>
constexpr warplens_unit unit_of = std::is_same_v<Real<T>, double> ? warplens_fp64 : warplens_fp32;
// The operations of a multiply-add: 2, for complex numbers 8.
template <class T>
constexpr double operations_of = is_complex<T> ? 8 : 2;

template <class T>
T conjugate(T value) {
  if constexpr (is_complex<T>) return std::conj(value);
  return value;
}

// alpha, beta and their like: a value of the host, read now, or where it is on the device.
template <class T>
class Scalar {
 public:
  Scalar() = default;
  Scalar(const cublasContext& handle, const void* pointer) : m_address(pointer) {
    if (handle.pointer_mode == CUBLAS_POINTER_MODE_DEVICE || pointer == nullptr) return;
    m_value = *static_cast<const T*>(pointer);
    m_address = nullptr;
  }
  // Whether it was there.
  bool read(const Memory& memory, T& to) const {
    to = m_value;
    if (m_address == nullptr) return true;
    const T* found = memory.array<const T>(m_address, 1, warplens_reads);
    if (found != nullptr) to = *found;
    return found != nullptr;
  }

 private:
  T m_value{};
  const void* m_address = nullptr;
};

// A result: written to the host, or to the device.
template <class T>
class Result {
 public:
  Result(const cublasContext& handle, T* to)
      : m_to(to), m_on_device(handle.pointer_mode == CUBLAS_POINTER_MODE_DEVICE) {}
  bool waits() const { return !m_on_device; }
  bool write(const Memory& memory, T value) const {
    T* to = m_on_device ? memory.array<T>(m_to, 1, warplens_writes) : m_to;
    if (to != nullptr) *to = value;
    return to != nullptr;
  }

 private:
  T* m_to;
  bool m_on_device;
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
