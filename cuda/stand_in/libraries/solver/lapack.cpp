// The only file here that knows Eigen.
#include "cuda/stand_in/libraries/solver/lapack.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/Householder>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

namespace warplens::solver {

namespace {

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
template <class T>
Eigen::Map<const Matrix<T>> map_of(const Dense<T>& m) {
  return {m.values.data(), m.rows, m.columns};
}
template <class T>
Eigen::Map<Matrix<T>> map_of(Dense<T>& m) {
  return {m.values.data(), m.rows, m.columns};
}
template <class T>
Dense<T> dense_of(const Matrix<T>& m) {
  Dense<T> made(m.rows(), m.cols());
  map_of(made) = m;
  return made;
}

// The same for a few columns at most, which says where it fails.
template <class T, class Map>
int64_t cholesky_by_columns(Map a) {
  const Eigen::Index n = a.rows();
  for (Eigen::Index k = 0; k < n; ++k) {
    const auto row = a.row(k).head(k);
    const double pivot = std::real(a(k, k)) - row.squaredNorm();
    if (!(pivot > 0)) return k + 1;
    a(k, k) = std::sqrt(pivot);
    const Eigen::Index rest = n - k - 1;
    if (rest == 0) continue;
    a.col(k).tail(rest).noalias() -= a.block(k + 1, 0, rest, k) * row.adjoint();
    a.col(k).tail(rest) /= a(k, k);
  }
  return 0;
}

// LAPACK's measure of a pivot: of complex numbers the sum of both parts.
template <class T>
double size_of(const T& value) {
  return std::abs(std::real(value)) + std::abs(std::imag(value));
}

}  // namespace

template <class T>
int64_t cholesky(Dense<T>& a) {
  auto map = map_of(a);
  Eigen::LLT<Matrix<T>, Eigen::Lower> factor(map);
  if (factor.info() != Eigen::Success) return std::max<int64_t>(cholesky_by_columns<T>(map), 1);
  map.template triangularView<Eigen::Lower>() = factor.matrixLLT();
  // Eigen finds no fault in NaN.
  for (int64_t k = 0; k < a.rows; ++k)
    if (std::isnan(std::real(a(k, k)))) return k + 1;
  return 0;
}

template <class T>
int64_t lu(Dense<T>& a, std::vector<int64_t>* pivots) {
  auto map = map_of(a);
  const Eigen::Index m = a.rows, n = a.columns, most = std::min(m, n);
  constexpr Eigen::Index block = 32;
  int64_t singular = 0;
  if (pivots != nullptr) pivots->assign(static_cast<size_t>(most), 0);
  for (Eigen::Index first = 0; first < most; first += block) {
    const Eigen::Index end = std::min(first + block, most);
    for (Eigen::Index k = first; k < end; ++k) {
      Eigen::Index best = k;
      if (pivots != nullptr) {
        for (Eigen::Index i = k + 1; i < m; ++i)
          if (size_of(map(i, k)) > size_of(map(best, k))) best = i;
        (*pivots)[static_cast<size_t>(k)] = best + 1;
        if (best != k) map.row(k).swap(map.row(best));
      }
      if (map(k, k) == T(0)) {
        if (singular == 0) singular = k + 1;
        continue;
      }
      const Eigen::Index rows = m - k - 1, columns = end - k - 1;
      map.col(k).tail(rows) /= map(k, k);
      map.block(k + 1, k + 1, rows, columns).noalias() -=
          map.col(k).tail(rows) * map.row(k).segment(k + 1, columns);
    }
    const Eigen::Index wide = end - first, rest = n - end, below = m - end;
    if (rest == 0) break;
    auto right = map.block(first, end, wide, rest);
    map.block(first, first, wide, wide).template triangularView<Eigen::UnitLower>().solveInPlace(right);
    map.block(end, end, below, rest).noalias() -= map.block(end, first, below, wide) * right;
  }
  return singular;
}

template <class T>
void qr(Dense<T>& a, std::vector<T>& tau) {
  tau.assign(static_cast<size_t>(std::min(a.rows, a.columns)), T(0));
  if (tau.empty()) return;
  const Eigen::HouseholderQR<Matrix<T>> factor(map_of(a));
  map_of(a) = factor.matrixQR();
  for (size_t i = 0; i < tau.size(); ++i)
    tau[i] = blas::conjugate(factor.hCoeffs()(static_cast<Eigen::Index>(i)));
}

template <class T>
void apply_q(const Dense<T>& reflections, const std::vector<T>& tau, bool left, bool adjoint, Dense<T>& c) {
  if (c.values.empty() || tau.empty()) return;
  using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
  const Eigen::Map<const Vector> factors(tau.data(), static_cast<Eigen::Index>(tau.size()));
  const Matrix<T> vectors = map_of(reflections);
  const Vector coefficients = factors;
  const auto q = Eigen::householderSequence(vectors, coefficients).setLength(factors.size());
  auto to = map_of(c);
  if (left) {
    adjoint ? to.applyOnTheLeft(q.adjoint()) : to.applyOnTheLeft(q);
  } else {
    adjoint ? to.applyOnTheRight(q.adjoint()) : to.applyOnTheRight(q);
  }
}

template <class T>
void solve_triangle(const Dense<T>& a, Triangle which, cublasOperation_t op, Dense<T>& b) {
  if (b.values.empty()) return;
  const auto from = map_of(a);
  auto to = map_of(b);
  const auto solve = [&]<int Mode>(std::integral_constant<int, Mode>) {
    if (op == CUBLAS_OP_N) {
      from.template triangularView<Mode>().solveInPlace(to);
    } else if (op == CUBLAS_OP_T) {
      from.template triangularView<Mode>().transpose().solveInPlace(to);
    } else {
      from.template triangularView<Mode>().adjoint().solveInPlace(to);
    }
  };
  switch (which) {
    case Triangle::lower:
      return solve(std::integral_constant<int, Eigen::Lower>{});
    case Triangle::unit_lower:
      return solve(std::integral_constant<int, Eigen::UnitLower>{});
    case Triangle::upper:
      return solve(std::integral_constant<int, Eigen::Upper>{});
  }
}

template <class T>
bool svd(const Dense<T>& a, Vectors vectors, Svd<T>& to) {
  const Eigen::Index rows = a.rows, columns = a.columns, most = std::min(rows, columns);
  to.values.assign(static_cast<size_t>(most), 0);
  const bool full = vectors == Vectors::full;
  const unsigned options = vectors == Vectors::none ? 0u
                           : full                   ? unsigned(Eigen::ComputeFullU | Eigen::ComputeFullV)
                                                    : unsigned(Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Matrix<T> of = map_of(a);
  if (!of.allFinite()) return false;
  if (most == 0) {
    to.u = dense_of<T>(Matrix<T>::Identity(rows, full ? rows : 0));
    to.v = dense_of<T>(Matrix<T>::Identity(columns, full ? columns : 0));
    return true;
  }
  const Eigen::BDCSVD<Matrix<T>> factor(of, options);
  if (factor.info() != Eigen::Success) return false;
  for (Eigen::Index i = 0; i < most; ++i) to.values[static_cast<size_t>(i)] = factor.singularValues()(i);
  if (vectors == Vectors::none) return true;
  to.u = dense_of<T>(factor.matrixU());
  to.v = dense_of<T>(factor.matrixV());
  return true;
}

template <class T>
bool eigenvalues(Dense<T>& a, bool vectors, std::vector<double>& values) {
  values.assign(static_cast<size_t>(a.rows), 0);
  if (a.rows == 0) return true;
  auto map = map_of(a);
  if (!map.allFinite()) return false;
  const Eigen::SelfAdjointEigenSolver<Matrix<T>> solver(
      map, vectors ? Eigen::ComputeEigenvectors : Eigen::EigenvaluesOnly);
  if (solver.info() != Eigen::Success) return false;
  for (Eigen::Index i = 0; i < a.rows; ++i) values[static_cast<size_t>(i)] = solver.eigenvalues()(i);
  if (vectors) map = solver.eigenvectors();
  return true;
}

#define FOR_TYPE(T)                                                                      \
  template int64_t cholesky(Dense<T>&);                                                  \
  template int64_t lu(Dense<T>&, std::vector<int64_t>*);                                 \
  template void qr(Dense<T>&, std::vector<T>&);                                          \
  template void apply_q(const Dense<T>&, const std::vector<T>&, bool, bool, Dense<T>&);  \
  template void solve_triangle(const Dense<T>&, Triangle, cublasOperation_t, Dense<T>&); \
  template bool svd(const Dense<T>&, Vectors, Svd<T>&);                                  \
  template bool eigenvalues(Dense<T>&, bool, std::vector<double>&);
FOR_TYPE(double)
FOR_TYPE(std::complex<double>)
#undef FOR_TYPE

}  // namespace warplens::solver
