// Elements by the number of their type (library_types.h), as the type that is computed with.
#pragma once

#include <library_types.h>

#include <bit>
#include <cstdint>

#include "cuda/stand_in/libraries/shared/number.h"

namespace warplens::libraries {

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

}  // namespace warplens::libraries
