// The numbers that libraries compute with: real and complex floats and doubles.
#pragma once

#include <cuComplex.h>

#include <cmath>
#include <complex>
#include <type_traits>

#include "cuda/stand_in/driver/library_call.h"

namespace warplens::libraries {

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
inline constexpr bool is_complex = false;
template <class R>
inline constexpr bool is_complex<std::complex<R>> = true;
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

}  // namespace warplens::libraries
