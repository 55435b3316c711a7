// Elements of matrices by the number of their type (library_types.h), as the type that is computed with.
#pragma once

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>

#include "cuda/stand_in/libraries/blas/dense.h"

namespace warplens::blas {

// IEEE 754 binary16, and its upper half of a float. Both round to the nearest, ties to even.
float of_half(uint16_t bits);
uint16_t to_half(float value);
inline float of_bfloat16(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }
uint16_t to_bfloat16(float value);

struct Half {
  uint16_t bits;
  operator float() const { return of_half(bits); }
};
struct Bfloat16 {
  uint16_t bits;
  operator float() const { return of_bfloat16(bits); }
};

template <class S, class T>
S rounded(T value) {
  if constexpr (std::is_same_v<S, Half>) {
    return {to_half(static_cast<float>(value))};
  } else if constexpr (std::is_same_v<S, Bfloat16>) {
    return {to_bfloat16(static_cast<float>(value))};
  } else {
    return static_cast<S>(value);
  }
}

inline int64_t bytes_of(cudaDataType type) {
  switch (type) {
    case CUDA_R_8I:
      return 1;
    case CUDA_R_16F:
    case CUDA_R_16BF:
      return 2;
    case CUDA_R_32F:
    case CUDA_R_32I:
      return 4;
    case CUDA_R_64F:
    case CUDA_C_32F:
      return 8;
    case CUDA_C_64F:
      return 16;
    default:
      return 0;
  }
}

// f(S{}) with the element type S, of those that may be computed with as T; false: none of them.
template <class T, class F>
bool with_element(cudaDataType type, F f) {
  if constexpr (std::is_same_v<T, float>) {
    if (type == CUDA_R_16F) return f(Half{});
    if (type == CUDA_R_16BF) return f(Bfloat16{});
    if (type == CUDA_R_8I) return f(int8_t{});
    return type == CUDA_R_32F && f(float{});
  } else if constexpr (std::is_same_v<T, int32_t>) {
    if (type == CUDA_R_8I) return f(int8_t{});
    return type == CUDA_R_32I && f(int32_t{});
  } else if constexpr (is_complex<T>) {
    return type == (std::is_same_v<Real<T>, float> ? CUDA_C_32F : CUDA_C_64F) && f(T{});
  } else {
    return type == CUDA_R_64F && f(T{});
  }
}

template <class T>
bool load_as(const Memory& memory, const MatrixAt& at, cudaDataType type, cublasOperation_t op,
             Dense<T>& to) {
  return with_element<T>(type, [&]<class S>(S) {
    if constexpr (std::is_same_v<S, T>) return load(memory, at, op, to);
    const auto from = memory.matrix<const S>(at.address, at.rows, at.columns, at.ld, warplens_reads);
    if (!from) return false;
    const bool turned = op != CUBLAS_OP_N;
    to = turned ? Dense<T>(at.columns, at.rows) : Dense<T>(at.rows, at.columns);
    for (int64_t j = 0; j < at.columns; ++j)
      for (int64_t i = 0; i < at.rows; ++i) (turned ? to(j, i) : to(i, j)) = static_cast<T>(from(i, j));
    return true;
  });
}

template <class T>
bool store_as(const Memory& memory, const MatrixAt& at, cudaDataType type, T alpha, const Dense<T>& made,
              T beta) {
  return with_element<T>(type, [&]<class S>(S) {
    const auto to = memory.matrix<S>(at.address, at.rows, at.columns, at.ld,
                                     beta == T(0) ? warplens_writes : warplens_updates);
    if (!to) return false;
    for (int64_t j = 0; j < at.columns; ++j)
      for (int64_t i = 0; i < at.rows; ++i) {
        const T value = alpha * made(i, j);
        to(i, j) = rounded<S>(beta == T(0) ? value : value + beta * static_cast<T>(to(i, j)));
      }
    return true;
  });
}

}  // namespace warplens::blas
