// Matrices as this machine computes with them: each operand of a BLAS is copied as its operation has it
// (transposed, a triangle, a symmetric matrix from one half, 16-bit floats as 32-bit ones), so that there is
// one product and one solver of each type, Eigen's.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "cuda/stand_in/libraries/blas/handle.h"

namespace warplens::blas {

// Column after column, without gaps.
template <class T>
struct Dense {
  int64_t rows = 0, columns = 0;
  std::vector<T> values;
  Dense() = default;
  Dense(int64_t its_rows, int64_t its_columns)
      : rows(its_rows), columns(its_columns), values(static_cast<size_t>(its_rows * its_columns)) {}
  T& operator()(int64_t row, int64_t column) { return values[static_cast<size_t>(column * rows + row)]; }
  const T& operator()(int64_t row, int64_t column) const {
    return values[static_cast<size_t>(column * rows + row)];
  }
};

// product.cpp: for float, double, std::complex of both, and int32_t.
template <class T>
Dense<T> product(const Dense<T>& a, const Dense<T>& b);
// Replaces b by the x of lower · x = b. For the first four.
template <class T>
void solve_lower(const Dense<T>& lower, Dense<T>& b);

// A matrix in device memory, before its operation.
struct MatrixAt {
  const void* address = nullptr;
  int64_t rows = 0, columns = 0, ld = 1;
};

template <class T>
T operated(T value, cublasOperation_t op) {
  return op == CUBLAS_OP_C ? conjugate(value) : value;
}

// op(matrix). Whether it was there, as for all that follow.
template <class T>
bool load(const Memory& memory, const MatrixAt& at, cublasOperation_t op, Dense<T>& to) {
  const auto from = memory.matrix<const T>(at.address, at.rows, at.columns, at.ld, warplens_reads);
  if (!from) return false;
  const bool turned = op != CUBLAS_OP_N;
  to = turned ? Dense<T>(at.columns, at.rows) : Dense<T>(at.rows, at.columns);
  for (int64_t j = 0; j < at.columns; ++j)
    for (int64_t i = 0; i < at.rows; ++i) (turned ? to(j, i) : to(i, j)) = operated(from(i, j), op);
  return true;
}

constexpr cublasFillMode_t whole = CUBLAS_FILL_MODE_FULL;

// Whether an element is in the part of a matrix that counts.
inline bool is_in(cublasFillMode_t part, int64_t row, int64_t column) {
  return part == CUBLAS_FILL_MODE_FULL || (part == CUBLAS_FILL_MODE_LOWER ? row >= column : row <= column);
}

// op(triangle), with zeros in the other half and ones on the diagonal where it is said to be of ones.
template <class T>
bool load_triangle(const Memory& memory, const MatrixAt& at, cublasFillMode_t part, cublasOperation_t op,
                   cublasDiagType_t diagonal, Dense<T>& to) {
  const auto from = memory.matrix<const T>(at.address, at.rows, at.rows, at.ld, warplens_reads);
  if (!from) return false;
  to = Dense<T>(at.rows, at.rows);
  for (int64_t j = 0; j < at.rows; ++j)
    for (int64_t i = 0; i < at.rows; ++i) {
      if (!is_in(part, i, j)) continue;
      T& element = op == CUBLAS_OP_N ? to(i, j) : to(j, i);
      element = i == j && diagonal == CUBLAS_DIAG_UNIT ? T(1) : operated(from(i, j), op);
    }
  return true;
}

// The whole matrix, if only one half is stored: symmetric, or Hermitian with a real diagonal.
template <class T>
bool load_symmetric(const Memory& memory, const MatrixAt& at, cublasFillMode_t part, bool hermitian,
                    Dense<T>& to) {
  const auto from = memory.matrix<const T>(at.address, at.rows, at.rows, at.ld, warplens_reads);
  if (!from) return false;
  to = Dense<T>(at.rows, at.rows);
  for (int64_t j = 0; j < at.rows; ++j)
    for (int64_t i = 0; i < at.rows; ++i) {
      if (!is_in(part, i, j)) continue;
      const T value = hermitian && i == j ? T(std::real(from(i, j))) : from(i, j);
      to(j, i) = hermitian ? conjugate(value) : value;
      to(i, j) = value;
    }
  return true;
}

// alpha · made + beta · what is there, in one part. Where beta is 0 nothing is read, so that it may be NaN.
template <class T>
bool store(const Memory& memory, const MatrixAt& at, cublasFillMode_t part, T alpha, const Dense<T>& made,
           T beta) {
  const auto to = memory.matrix<T>(at.address, at.rows, at.columns, at.ld,
                                   beta == T(0) ? warplens_writes : warplens_updates);
  if (!to) return false;
  for (int64_t j = 0; j < at.columns; ++j)
    for (int64_t i = 0; i < at.rows; ++i) {
      if (!is_in(part, i, j)) continue;
      T& element = to(i, j);
      const T value = alpha * made(i, j);
      element = beta == T(0) ? value : value + beta * element;
    }
  return true;
}

// A vector as a matrix of one column.
template <class T>
bool load_vector(const Memory& memory, const void* address, int64_t count, int64_t step, Dense<T>& to) {
  const auto from = memory.vector<const T>(address, count, step, warplens_reads);
  if (!from) return false;
  to = Dense<T>(count, 1);
  for (int64_t i = 0; i < count; ++i) to(i, 0) = from[i];
  return true;
}
template <class T>
bool store_vector(const Memory& memory, const void* address, int64_t count, int64_t step, T alpha,
                  const Dense<T>& made, T beta) {
  const auto to = memory.vector<T>(address, count, step, beta == T(0) ? warplens_writes : warplens_updates);
  if (!to) return false;
  for (int64_t i = 0; i < count; ++i) {
    const T value = alpha * made(i, 0);
    to[i] = beta == T(0) ? value : value + beta * to[i];
  }
  return true;
}

// x of triangle · x = b; a triangle of whichever half, as load_triangle gives it.
template <class T>
void solve(Dense<T>& triangle, bool is_lower, Dense<T>& b) {
  if (is_lower) return solve_lower(triangle, b);
  // Seen from its last row and column, an upper triangle is a lower one.
  const auto turn = [](Dense<T>& m, bool columns) {
    Dense<T> turned(m.rows, m.columns);
    for (int64_t j = 0; j < m.columns; ++j)
      for (int64_t i = 0; i < m.rows; ++i) turned(m.rows - 1 - i, columns ? m.columns - 1 - j : j) = m(i, j);
    m = std::move(turned);
  };
  turn(triangle, true);
  turn(b, false);
  solve_lower(triangle, b);
  turn(b, false);
}

template <class T>
Dense<T> transposed(const Dense<T>& m) {
  Dense<T> turned(m.columns, m.rows);
  for (int64_t j = 0; j < m.columns; ++j)
    for (int64_t i = 0; i < m.rows; ++i) turned(j, i) = m(i, j);
  return turned;
}

// b becomes the x of triangle · x = b, or, not from the left, of x · triangle = b.
template <class T>
void solve_on_side(Dense<T>& triangle, bool is_lower, bool left, Dense<T>& b) {
  if (left) return solve(triangle, is_lower, b);
  Dense<T> turned = transposed(triangle), rows = transposed(b);
  solve(turned, !is_lower, rows);
  b = transposed(rows);
}

}  // namespace warplens::blas
