// The only file that knows Eigen.
#include <Eigen/Core>

#include "cuda/stand_in/libraries/blas/dense.h"

namespace warplens::blas {

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

}  // namespace

template <class T>
Dense<T> product(const Dense<T>& a, const Dense<T>& b) {
  Dense<T> made(a.rows, b.columns);
  if (!made.values.empty() && a.columns != 0) map_of(made).noalias() = map_of(a) * map_of(b);
  return made;
}

template <class T>
void solve_lower(const Dense<T>& lower, Dense<T>& b) {
  if (!b.values.empty()) map_of(lower).template triangularView<Eigen::Lower>().solveInPlace(map_of(b));
}

template Dense<float> product(const Dense<float>&, const Dense<float>&);
template Dense<double> product(const Dense<double>&, const Dense<double>&);
template Dense<std::complex<float>> product(const Dense<std::complex<float>>&,
                                            const Dense<std::complex<float>>&);
template Dense<std::complex<double>> product(const Dense<std::complex<double>>&,
                                             const Dense<std::complex<double>>&);
template Dense<int32_t> product(const Dense<int32_t>&, const Dense<int32_t>&);
template void solve_lower(const Dense<float>&, Dense<float>&);
template void solve_lower(const Dense<double>&, Dense<double>&);
template void solve_lower(const Dense<std::complex<float>>&, Dense<std::complex<float>>&);
template void solve_lower(const Dense<std::complex<double>>&, Dense<std::complex<double>>&);

}  // namespace warplens::blas
