// Shared by the programs of tests/cuda/stand_in/libraries: arrays on the device, and values that are the same
// on every machine.
#pragma once

#include <cuComplex.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "../runtime/expect.h"

// An array on the device that is freed with this object.
template <class T>
struct OnDevice {
  T* at = nullptr;
  size_t count = 0;
  explicit OnDevice(size_t its_count) : count(its_count) { EXPECT_OK(cudaMalloc(&at, count * sizeof(T))); }
  explicit OnDevice(const std::vector<T>& values) : OnDevice(values.size()) { set(values); }
  OnDevice(const OnDevice&) = delete;
  ~OnDevice() { cudaFree(at); }
  void set(const std::vector<T>& values) {
    EXPECT_OK(cudaMemcpy(at, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  std::vector<T> get() const {
    std::vector<T> values(count);
    EXPECT_OK(cudaMemcpy(values.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }
};

// Values between -1 and 1, the same everywhere: a linear congruence (Numerical Recipes' constants).
template <class T>
T value_of(uint32_t bits) {
  return T(double(bits >> 8) / double(1 << 23) - 1);
}
template <class T>
std::vector<T> values(size_t count, uint32_t seed) {
  std::vector<T> made(count);
  uint32_t state = seed * 2654435761u + 1;
  for (T& value : made) {
    state = state * 1664525u + 1013904223u;
    if constexpr (sizeof(T) > sizeof(double) || !std::is_floating_point_v<T>) {
      const double re = value_of<double>(state);
      state = state * 1664525u + 1013904223u;
      value = T{static_cast<decltype(value.x)>(re), static_cast<decltype(value.x)>(value_of<double>(state))};
    } else {
      value = value_of<T>(state);
    }
  }
  return made;
}

// The largest difference, divided by the largest value.
template <class A, class B>
double difference(const std::vector<A>& is, const std::vector<B>& wanted) {
  if (is.size() != wanted.size()) return 1e300;
  double most = 0, scale = 1e-300;
  for (size_t i = 0; i < is.size(); ++i) {
    const double apart = std::abs(double(is[i]) - double(wanted[i]));
    if (!(apart <= most)) most = apart;
    scale = std::max(scale, std::abs(double(wanted[i])));
  }
  return most / scale;
}
template <class R, class Z>
std::vector<std::complex<double>> as_complex(const std::vector<Z>& values) {
  std::vector<std::complex<double>> made;
  for (const Z& value : values) made.emplace_back(value.x, value.y);
  return made;
}

// For sums of some hundred products. The order of a sum differs between machines.
constexpr double float_tolerance = 2e-5, double_tolerance = 1e-13;
template <class T>
constexpr double tolerance = sizeof(T) == 4 ? float_tolerance : double_tolerance;

// An error that has a bound; the lines can be compared between machines.
inline void expect_below(const char* what, double error, double bound) {
  std::printf("%-44s %8.1e of %.0e\n", what, error, bound);
  EXPECT(error <= bound);
}
