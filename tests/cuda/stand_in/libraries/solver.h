// Shared by the programs with cuSOLVER: assertions, and matrices of the host with their products.
#pragma once

#include <cusolverDn.h>

#include "arrays.h"

#define EXPECT_SOLVER(call, code)                                                         \
  do {                                                                                    \
    ++expected;                                                                           \
    const cusolverStatus_t is_ = (call);                                                  \
    if (is_ != (code)) {                                                                  \
      ++failed;                                                                           \
      std::printf("%s:%d: %s gives %d, not %s\n", __FILE__, __LINE__, #call, is_, #code); \
    }                                                                                     \
  } while (false)
#define EXPECT_SOLVER_OK(call) EXPECT_SOLVER(call, CUSOLVER_STATUS_SUCCESS)

using Z = std::complex<double>;

inline Z exact(float value) { return value; }
inline Z exact(double value) { return value; }
inline Z exact(cuComplex value) { return {value.x, value.y}; }
inline Z exact(cuDoubleComplex value) { return {value.x, value.y}; }
template <class T>
T number(Z value) {
  if constexpr (std::is_floating_point_v<T>) {
    return T(value.real());
  } else {
    return T{decltype(T::x)(value.real()), decltype(T::x)(value.imag())};
  }
}

// Column after column.
struct Host {
  int rows, columns;
  std::vector<Z> values;
  Host(int its_rows, int its_columns)
      : rows(its_rows), columns(its_columns), values(size_t(rows) * columns) {}
  Z& operator()(int i, int j) { return values[size_t(j) * rows + i]; }
  const Z& operator()(int i, int j) const { return values[size_t(j) * rows + i]; }
};
inline Host operator*(const Host& a, const Host& b) {
  Host made(a.rows, b.columns);
  for (int j = 0; j < b.columns; ++j)
    for (int k = 0; k < a.columns; ++k)
      for (int i = 0; i < a.rows; ++i) made(i, j) += a(i, k) * b(k, j);
  return made;
}
inline Host adjoint(const Host& a) {
  Host made(a.columns, a.rows);
  for (int j = 0; j < a.columns; ++j)
    for (int i = 0; i < a.rows; ++i) made(j, i) = std::conj(a(i, j));
  return made;
}
inline Host identity(int n) {
  Host made(n, n);
  for (int i = 0; i < n; ++i) made(i, i) = 1;
  return made;
}
// The largest difference, divided by the largest element of what is wanted.
inline double apart(const Host& is, const Host& wanted) {
  if (is.values.size() != wanted.values.size()) return 1e300;
  double most = 0, scale = 1e-300;
  for (size_t i = 0; i < is.values.size(); ++i) {
    if (!(std::abs(is.values[i] - wanted.values[i]) <= most))
      most = std::abs(is.values[i] - wanted.values[i]);
    scale = std::max(scale, std::abs(wanted.values[i]));
  }
  return most / scale;
}

template <class T>
struct Of {
  using Real = double;
};
template <>
struct Of<float> {
  using Real = float;
};
template <>
struct Of<cuComplex> {
  using Real = float;
};
template <class T>
constexpr bool is_complex = !std::is_floating_point_v<T>;
template <class T>
constexpr double bound = sizeof(typename Of<T>::Real) == 4 ? 2e-5 : 1e-12;

template <class T>
Host random(int rows, int columns, uint32_t seed) {
  Host made(rows, columns);
  const auto of = values<T>(size_t(rows) * columns, seed);
  for (size_t i = 0; i < of.size(); ++i) made.values[i] = exact(of[i]);
  return made;
}
// Hermitian, with eigenvalues far above 0.
template <class T>
Host positive(int n, uint32_t seed) {
  const Host half = random<T>(n, n, seed);
  Host made = half * adjoint(half);
  for (int i = 0; i < n; ++i) made(i, i) = made(i, i).real() + n;
  for (Z& value : made.values) value = exact(number<T>(value));
  return made;
}

// A matrix on the device, with room between its columns that nothing may write.
template <class T>
struct Matrix {
  int rows, columns, ld;
  OnDevice<T> values;
  explicit Matrix(const Host& from)
      : rows(from.rows),
        columns(from.columns),
        ld(rows + 3),
        values(std::vector<T>(size_t(ld) * columns, number<T>(7))) {
    set(from);
  }
  T* at() const { return values.at; }
  void set(const Host& from) {
    std::vector<T> all(size_t(ld) * columns, number<T>(7));
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i) all[size_t(j) * ld + i] = number<T>(from(i, j));
    values.set(all);
  }
  Host get() const {
    Host made(rows, columns);
    const auto all = values.get();
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < ld; ++i)
        if (i < rows) {
          made(i, j) = exact(all[size_t(j) * ld + i]);
        } else {
          EXPECT(exact(all[size_t(j) * ld + i]) == Z(7));
        }
    return made;
  }
};

inline int value_of_info(const OnDevice<int>& info) { return info.get()[0]; }

// The functions of one type by one name.
template <class T>
struct Solver;
#define SOLVER(T, S, Q, E)                                                               \
  template <>                                                                            \
  struct Solver<T> {                                                                     \
    static constexpr auto potrf_size = cusolverDn##S##potrf_bufferSize;                  \
    static constexpr auto potrf = cusolverDn##S##potrf;                                  \
    static constexpr auto potrs = cusolverDn##S##potrs;                                  \
    static constexpr auto potri_size = cusolverDn##S##potri_bufferSize;                  \
    static constexpr auto potri = cusolverDn##S##potri;                                  \
    static constexpr auto potrf_batched = cusolverDn##S##potrfBatched;                   \
    static constexpr auto potrs_batched = cusolverDn##S##potrsBatched;                   \
    static constexpr auto getrf_size = cusolverDn##S##getrf_bufferSize;                  \
    static constexpr auto getrf = cusolverDn##S##getrf;                                  \
    static constexpr auto getrs = cusolverDn##S##getrs;                                  \
    static constexpr auto geqrf_size = cusolverDn##S##geqrf_bufferSize;                  \
    static constexpr auto geqrf = cusolverDn##S##geqrf;                                  \
    static constexpr auto orgqr_size = cusolverDn##S##Q##gqr_bufferSize;                 \
    static constexpr auto orgqr = cusolverDn##S##Q##gqr;                                 \
    static constexpr auto ormqr_size = cusolverDn##S##Q##mqr_bufferSize;                 \
    static constexpr auto ormqr = cusolverDn##S##Q##mqr;                                 \
    static constexpr auto gesvd_size = cusolverDn##S##gesvd_bufferSize;                  \
    static constexpr auto gesvd = cusolverDn##S##gesvd;                                  \
    static constexpr auto gesvdj_size = cusolverDn##S##gesvdj_bufferSize;                \
    static constexpr auto gesvdj = cusolverDn##S##gesvdj;                                \
    static constexpr auto syevd_size = cusolverDn##S##E##evd_bufferSize;                 \
    static constexpr auto syevd = cusolverDn##S##E##evd;                                 \
    static constexpr auto syevj_batched_size = cusolverDn##S##E##evjBatched_bufferSize;  \
    static constexpr auto syevj_batched = cusolverDn##S##E##evjBatched;                  \
    static constexpr auto gesvdj_batched_size = cusolverDn##S##gesvdjBatched_bufferSize; \
    static constexpr auto gesvdj_batched = cusolverDn##S##gesvdjBatched;                 \
    static constexpr const char* name = #S;                                              \
  };
SOLVER(float, S, or, sy)
SOLVER(double, D, or, sy)
SOLVER(cuComplex, C, un, he)
SOLVER(cuDoubleComplex, Z, un, he)
#undef SOLVER
