// Shared by the programs with cuFFT: assertions, types by their precision, and a transform by the definition.
#pragma once

#include <cufft.h>

#include <string>

#include "arrays.h"

#define EXPECT_FFT(call, code)                                                            \
  do {                                                                                    \
    ++expected;                                                                           \
    const cufftResult is_ = (call);                                                       \
    if (is_ != (code)) {                                                                  \
      ++failed;                                                                           \
      std::printf("%s:%d: %s gives %d, not %s\n", __FILE__, __LINE__, #call, is_, #code); \
    }                                                                                     \
  } while (false)
#define EXPECT_FFT_OK(call) EXPECT_FFT(call, CUFFT_SUCCESS)

template <class R>
struct Fft;
template <>
struct Fft<float> {
  using Z = cufftComplex;
  static constexpr cufftType c2c = CUFFT_C2C, r2c = CUFFT_R2C, c2r = CUFFT_C2R;
  static constexpr double bound = 2e-6;
  static cufftResult exec(cufftHandle plan, Z* from, Z* to, int way) {
    return cufftExecC2C(plan, from, to, way);
  }
  static cufftResult exec(cufftHandle plan, float* from, Z* to) { return cufftExecR2C(plan, from, to); }
  static cufftResult exec(cufftHandle plan, Z* from, float* to) { return cufftExecC2R(plan, from, to); }
};
template <>
struct Fft<double> {
  using Z = cufftDoubleComplex;
  static constexpr cufftType c2c = CUFFT_Z2Z, r2c = CUFFT_D2Z, c2r = CUFFT_Z2D;
  static constexpr double bound = 1e-14;
  static cufftResult exec(cufftHandle plan, Z* from, Z* to, int way) {
    return cufftExecZ2Z(plan, from, to, way);
  }
  static cufftResult exec(cufftHandle plan, double* from, Z* to) { return cufftExecD2Z(plan, from, to); }
  static cufftResult exec(cufftHandle plan, Z* from, double* to) { return cufftExecZ2D(plan, from, to); }
};

using Exact = std::complex<long double>;

// By the definition, along one extent of arrays that lie row after row; not divided by anything.
inline void transform_along(std::vector<Exact>& values, const std::vector<int>& n, size_t which, int way) {
  const size_t length = n[which];
  size_t step = 1;
  for (size_t i = which + 1; i < n.size(); ++i) step *= n[i];
  std::vector<Exact> roots(length), line(length);
  const long double turn = 2 * 3.14159265358979323846264338327950288L;
  for (size_t k = 0; k < length; ++k) roots[k] = std::polar(1.0L, way * turn * k / length);
  for (size_t first = 0; first < values.size(); ++first) {
    if (first / step % length != 0) continue;
    for (size_t k = 0; k < length; ++k) {
      line[k] = 0;
      for (size_t i = 0; i < length; ++i) {
        // Without the inquiries that std::complex makes after each product.
        const Exact a = values[first + i * step], b = roots[i * k % length];
        line[k] +=
            Exact(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
      }
    }
    for (size_t k = 0; k < length; ++k) values[first + k * step] = line[k];
  }
}
inline std::vector<Exact> transformed(std::vector<Exact> values, const std::vector<int>& n, int way) {
  for (size_t i = 0; i < n.size(); ++i) transform_along(values, n, i, way);
  return values;
}

inline int product_of(const std::vector<int>& n) {
  int all = 1;
  for (const int one : n) all *= one;
  return all;
}
inline std::vector<int> half_of(std::vector<int> n) {
  n.back() = n.back() / 2 + 1;
  return n;
}
inline std::string named(const char* what, const std::vector<int>& n, int batch) {
  std::string text = what;
  for (const int& one : n) text += (&one == &n[0] ? " " : "x") + std::to_string(one);
  return batch == 1 ? text : text + ", " + std::to_string(batch) + " times";
}

inline Exact exact(float value) { return value; }
inline Exact exact(double value) { return value; }
inline Exact exact(cufftComplex value) { return {value.x, value.y}; }
inline Exact exact(cufftDoubleComplex value) { return {value.x, value.y}; }
template <class T>
std::vector<Exact> exact(const std::vector<T>& values) {
  std::vector<Exact> made;
  for (const T& value : values) made.push_back(exact(value));
  return made;
}

// The length of the difference, divided by the length of what is wanted.
template <class T>
double error_of(const std::vector<T>& is, const std::vector<Exact>& wanted) {
  if (is.size() != wanted.size()) return 1e300;
  long double apart = 0, all = 0;
  for (size_t i = 0; i < is.size(); ++i) {
    apart += std::norm(exact(is[i]) - wanted[i]);
    all += std::norm(wanted[i]);
  }
  return static_cast<double>(std::sqrt(apart / all));
}

// The whole spectrum of real numbers, of its half that is stored.
inline std::vector<Exact> halved(const std::vector<Exact>& whole, const std::vector<int>& n) {
  std::vector<Exact> made;
  const size_t length = n.back(), kept = length / 2 + 1;
  for (size_t i = 0; i < whole.size(); ++i)
    if (i % length < kept) made.push_back(whole[i]);
  return made;
}
