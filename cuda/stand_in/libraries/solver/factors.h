// Linear systems and their factors, of all sizes and types of pivots.
#pragma once

#include "cuda/stand_in/libraries/solver/handle.h"

namespace warplens::solver {

constexpr auto success = CUSOLVER_STATUS_SUCCESS;

// What all functions begin with.
inline cusolverStatus_t valid(const cusolverDnContext* handle, bool arguments) {
  return handle == nullptr ? CUSOLVER_STATUS_NOT_INITIALIZED
         : arguments       ? CUSOLVER_STATUS_SUCCESS
                           : CUSOLVER_STATUS_INVALID_VALUE;
}

// Of a work buffer, in elements.
inline cusolverStatus_t size(const cusolverDnContext* handle, bool arguments, int* elements) {
  const auto end = valid(handle, arguments && elements != nullptr);
  if (end == success) *elements = work_elements;
  return end;
}

// The lower factor of a Cholesky factorization, of whichever half is stored.
template <class S>
bool load_factor(const Memory& memory, const MatrixAt& at, cublasFillMode_t part, Dense<Wide<S>>& to) {
  if (!load<S>(memory, at, to)) return false;
  for (int64_t j = 0; part == CUBLAS_FILL_MODE_UPPER && j < at.rows; ++j)
    for (int64_t i = j; i < at.rows; ++i) to(i, j) = blas::conjugate(to(j, i));
  return true;
}
template <class S>
bool store_factor(const Memory& memory, const MatrixAt& at, cublasFillMode_t part, Dense<Wide<S>>& from) {
  for (int64_t j = 0; part == CUBLAS_FILL_MODE_UPPER && j < at.rows; ++j)
    for (int64_t i = j; i < at.rows; ++i) from(j, i) = blas::conjugate(from(i, j));
  return store<S>(memory, at, from, part);
}

template <class T>
void solve_cholesky(const Dense<T>& factor, Dense<T>& b) {
  solve_triangle(factor, Triangle::lower, CUBLAS_OP_N, b);
  solve_triangle(factor, Triangle::lower, CUBLAS_OP_C, b);
}

template <class S>
cusolverStatus_t potrf(const char* name, const cusolverDnContext* handle, cublasFillMode_t part, int64_t n,
                       const void* a, int64_t lda, const int* info) {
  const auto end = valid(handle, is_triangle(part) && n >= 0 && fits(lda, n) && info != nullptr);
  if (end != success) return end;
  return run(*handle, call_of<S>(name, {n, n}, cube(n) / 6), [=](const Memory& memory) {
    Dense<Wide<S>> matrix;
    if (!load_factor<S>(memory, {a, n, n, lda}, part, matrix)) return false;
    const int64_t minor = cholesky(matrix);
    return store_factor<S>(memory, {a, n, n, lda}, part, matrix) && tell(memory, info, minor);
  });
}

template <class S>
cusolverStatus_t potrs(const char* name, const cusolverDnContext* handle, cublasFillMode_t part, int64_t n,
                       int64_t columns, const void* a, int64_t lda, const void* b, int64_t ldb,
                       const int* info) {
  const auto end = valid(
      handle, is_triangle(part) && n >= 0 && columns >= 0 && fits(lda, n) && fits(ldb, n) && info != nullptr);
  if (end != success) return end;
  const double work = double(n) * double(n) * double(columns);
  return run(*handle, call_of<S>(name, {n, columns}, work), [=](const Memory& memory) {
    Dense<Wide<S>> factor, right;
    if (!load_factor<S>(memory, {a, n, n, lda}, part, factor) ||
        !load<S>(memory, {b, n, columns, ldb}, right))
      return false;
    solve_cholesky(factor, right);
    return store<S>(memory, {b, n, columns, ldb}, right) && tell(memory, info, 0);
  });
}

// P: the type of pivots. Without pivots no rows are exchanged.
template <class S, class P>
cusolverStatus_t getrf(const char* name, const cusolverDnContext* handle, int64_t m, int64_t n, const void* a,
                       int64_t lda, const P* pivots, const int* info) {
  const auto end = valid(handle, m >= 0 && n >= 0 && fits(lda, m) && info != nullptr);
  if (end != success) return end;
  const double least = double(std::min(m, n));
  const double work = least * (double(m) * double(n) - least * double(m + n) / 2 + least * least / 3);
  return run(*handle, call_of<S>(name, {m, n}, work), [=](const Memory& memory) {
    Dense<Wide<S>> matrix;
    std::vector<int64_t> exchanged;
    if (!load<S>(memory, {a, m, n, lda}, matrix)) return false;
    const int64_t singular = lu(matrix, pivots == nullptr ? nullptr : &exchanged);
    return store<S>(memory, {a, m, n, lda}, matrix) &&
           (pivots == nullptr || store_array<P>(memory, pivots, exchanged)) && tell(memory, info, singular);
  });
}

template <class S, class P>
cusolverStatus_t getrs(const char* name, const cusolverDnContext* handle, cublasOperation_t op, int64_t n,
                       int64_t columns, const void* a, int64_t lda, const P* pivots, const void* b,
                       int64_t ldb, const int* info) {
  const auto end = valid(
      handle, is_operation(op) && n >= 0 && columns >= 0 && fits(lda, n) && fits(ldb, n) && info != nullptr);
  if (end != success) return end;
  const double work = double(n) * double(n) * double(columns);
  return run(*handle, call_of<S>(name, {n, columns}, work), [=](const Memory& memory) {
    Dense<Wide<S>> factors, right;
    std::vector<int64_t> exchanged;
    if (!load<S>(memory, {a, n, n, lda}, factors) || !load<S>(memory, {b, n, columns, ldb}, right) ||
        (pivots != nullptr && !load_array<P>(memory, pivots, n, exchanged)))
      return false;
    for (const int64_t row : exchanged)
      if (row < 1 || row > n)
        return memory.refuse(std::string(name) + " was given the pivot " + std::to_string(row) +
                             " of a matrix of " + std::to_string(n) + " rows. Pivots are what getrf wrote.");
    const auto exchange = [&](bool backwards) {
      for (size_t step = 0; step < exchanged.size(); ++step) {
        const size_t k = backwards ? exchanged.size() - 1 - step : step;
        for (int64_t j = 0; j < columns; ++j)
          std::swap(right(static_cast<int64_t>(k), j), right(exchanged[k] - 1, j));
      }
    };
    if (op == CUBLAS_OP_N) {
      exchange(false);
      solve_triangle(factors, Triangle::unit_lower, op, right);
      solve_triangle(factors, Triangle::upper, op, right);
    } else {
      solve_triangle(factors, Triangle::upper, op, right);
      solve_triangle(factors, Triangle::unit_lower, op, right);
      exchange(true);
    }
    return store<S>(memory, {b, n, columns, ldb}, right) && tell(memory, info, 0);
  });
}

template <class S>
cusolverStatus_t geqrf(const char* name, const cusolverDnContext* handle, int64_t m, int64_t n, const void* a,
                       int64_t lda, const void* tau, const int* info) {
  const auto end = valid(handle, m >= 0 && n >= 0 && fits(lda, m) && info != nullptr);
  if (end != success) return end;
  const double least = double(std::min(m, n));
  const double work = 2 * least * (double(m) * double(n) - least * double(m + n) / 2 + least * least / 3);
  return run(*handle, call_of<S>(name, {m, n}, work), [=](const Memory& memory) {
    Dense<Wide<S>> matrix;
    std::vector<Wide<S>> factors;
    if (!load<S>(memory, {a, m, n, lda}, matrix)) return false;
    qr(matrix, factors);
    return store<S>(memory, {a, m, n, lda}, matrix) && store_array<S>(memory, tau, factors) &&
           tell(memory, info, 0);
  });
}

}  // namespace warplens::solver
