// Factors of dense matrices, in the form that LAPACK gives them. All is computed in doubles, also for floats:
// T is double or std::complex<double>.
#pragma once

#include <vector>

#include "cuda/stand_in/libraries/blas/dense.h"

namespace warplens::solver {

using blas::Dense;

// The lower triangle becomes L with L · Lᴴ = a. Returns 0, or the order of the first leading minor that is
// not positive.
template <class T>
int64_t cholesky(Dense<T>& a);

// a becomes L and U with P · L · U = a, of which L has ones on its diagonal. `pivots`, from 1, has the row
// with which each row was exchanged; if it is null, none are. Returns 0, or the number of the first zero on
// U's diagonal.
template <class T>
int64_t lu(Dense<T>& a, std::vector<int64_t>* pivots);

// a becomes R and, below it, the vectors of the reflections I - tau · v · vᴴ whose product is Q.
template <class T>
void qr(Dense<T>& a, std::vector<T>& tau);
// Q · c, Qᴴ · c, c · Q or c · Qᴴ.
template <class T>
void apply_q(const Dense<T>& reflections, const std::vector<T>& tau, bool left, bool adjoint, Dense<T>& c);

enum class Triangle : uint8_t { lower, unit_lower, upper };
// b becomes the x of op(triangle) · x = b; the other half of the matrix does not count.
template <class T>
void solve_triangle(const Dense<T>& a, Triangle which, cublasOperation_t op, Dense<T>& b);

enum class Vectors : uint8_t { none, thin, full };
template <class T>
struct Svd {
  Dense<T> u, v;  // a = u · values · vᴴ
  std::vector<double> values;
};
// False if there is no result, for example of NaN.
template <class T>
bool svd(const Dense<T>& a, Vectors vectors, Svd<T>& to);

// The eigenvalues of a Hermitian matrix, in ascending order; its columns become the vectors if they are
// wanted.
template <class T>
bool eigenvalues(Dense<T>& a, bool vectors, std::vector<double>& values);

}  // namespace warplens::solver
