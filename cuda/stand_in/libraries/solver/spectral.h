// Singular values and eigenvalues, of all sizes and batches.
#pragma once

#include <limits>

#include "cuda/stand_in/libraries/solver/factors.h"

namespace warplens::solver {

inline bool is_job(signed char job) { return job == 'A' || job == 'S' || job == 'O' || job == 'N'; }

// LAPACK's gesvd, of matrices that are not wider than high, as in NVIDIA's.
template <class S>
cusolverStatus_t gesvd(const char* name, const cusolverDnContext* handle, signed char job_u,
                       signed char job_v, int64_t m, int64_t n, const void* a, int64_t lda,
                       const void* values, const void* u, int64_t ldu, const void* v, int64_t ldv,
                       const int* info) {
  const bool with_u = job_u == 'A' || job_u == 'S', with_v = job_v == 'A' || job_v == 'S';
  const auto end = valid(handle, is_job(job_u) && is_job(job_v) && !(job_u == 'O' && job_v == 'O') &&
                                     n >= 0 && m >= n && fits(lda, m) && (!with_u || fits(ldu, m)) &&
                                     (!with_v || fits(ldv, n)) && info != nullptr);
  if (end != success) return end;
  const Vectors vectors = job_u == 'A'                   ? Vectors::full
                          : job_u == 'N' && job_v == 'N' ? Vectors::none
                                                         : Vectors::thin;
  return run(*handle, call_of<S>(name, {m, n}, 4 * double(m) * double(n) * double(n)),
             [=](const Memory& memory) {
               Dense<Wide<S>> matrix;
               Svd<Wide<S>> made;
               if (!load<S>(memory, {a, m, n, lda}, matrix)) return false;
               if (!svd(matrix, vectors, made)) return tell(memory, info, n);
               Dense<Wide<S>> turned(n, n);  // vᴴ
               if (job_v != 'N')
                 for (int64_t j = 0; j < n; ++j)
                   for (int64_t i = 0; i < n; ++i) turned(i, j) = blas::conjugate(made.v(j, i));
               const int64_t columns = job_u == 'A' ? m : n;
               return store_array<Real<S>>(memory, values, made.values) &&
                      (!with_u || store<S>(memory, {u, m, columns, ldu}, made.u)) &&
                      (job_u != 'O' || store<S>(memory, {a, m, n, lda}, made.u)) &&
                      (!with_v || store<S>(memory, {v, n, n, ldv}, turned)) &&
                      (job_v != 'O' || store<S>(memory, {a, n, n, lda}, turned)) && tell(memory, info, 0);
             });
}

// Arrays of a batch lie one after the other.
template <class S>
cusolverStatus_t gesvdj(const char* name, const cusolverDnContext* handle, cusolverEigMode_t mode, bool thin,
                        int64_t m, int64_t n, const void* a, int64_t lda, const void* values, const void* u,
                        int64_t ldu, const void* v, int64_t ldv, const int* info, int64_t count = 1) {
  const bool with = mode == CUSOLVER_EIG_MODE_VECTOR;
  const auto end =
      valid(handle, (with || mode == CUSOLVER_EIG_MODE_NOVECTOR) && m >= 0 && n >= 0 && fits(lda, m) &&
                        (!with || (fits(ldu, m) && fits(ldv, n))) && info != nullptr && count >= 0);
  if (end != success || count == 0) return end;
  const int64_t least = std::min(m, n), columns_u = thin ? least : m, columns_v = thin ? least : n;
  const Vectors vectors = !with ? Vectors::none : thin ? Vectors::thin : Vectors::full;
  return run(
      *handle, call_of<S>(name, {m, n}, 4 * double(m) * double(n) * double(least), count),
      [=](const Memory& memory) {
        const auto at = [](const void* begin, int64_t elements) {
          return static_cast<const S*>(begin) + elements;
        };
        for (int64_t i = 0; i < count; ++i) {
          Dense<Wide<S>> matrix;
          Svd<Wide<S>> made;
          if (!load<S>(memory, {at(a, i * lda * n), m, n, lda}, matrix)) return false;
          if (!svd(matrix, vectors, made)) {
            if (!tell(memory, info + i, least + 1)) return false;
            continue;
          }
          if (!store_array<Real<S>>(memory, static_cast<const Real<S>*>(values) + i * least, made.values) ||
              (with && (!store<S>(memory, {at(u, i * ldu * columns_u), m, columns_u, ldu}, made.u) ||
                        !store<S>(memory, {at(v, i * ldv * columns_v), n, columns_v, ldv}, made.v))) ||
              !tell(memory, info + i, 0))
            return false;
        }
        return true;
      });
}

template <class S>
bool load_symmetric(const Memory& memory, const MatrixAt& at, cublasFillMode_t part, Dense<Wide<S>>& to) {
  if (!load_factor<S>(memory, at, part, to)) return false;
  for (int64_t j = 0; j < at.rows; ++j) {
    to(j, j) = std::real(to(j, j));
    for (int64_t i = j + 1; i < at.rows; ++i) to(j, i) = blas::conjugate(to(i, j));
  }
  return true;
}

template <class S>
cusolverStatus_t syevd(const char* name, const cusolverDnContext* handle, cusolverEigMode_t mode,
                       cublasFillMode_t part, int64_t n, const void* a, int64_t lda, const void* values,
                       const int* info, int64_t count = 1) {
  const bool with = mode == CUSOLVER_EIG_MODE_VECTOR;
  const auto end = valid(handle, (with || mode == CUSOLVER_EIG_MODE_NOVECTOR) && is_triangle(part) &&
                                     n >= 0 && fits(lda, n) && info != nullptr && count >= 0);
  if (end != success || count == 0) return end;
  return run(*handle, call_of<S>(name, {n, n}, 4 * cube(n), count), [=](const Memory& memory) {
    for (int64_t i = 0; i < count; ++i) {
      const MatrixAt at{static_cast<const S*>(a) + i * lda * n, n, n, lda};
      Dense<Wide<S>> matrix;
      std::vector<double> found;
      if (!load_symmetric<S>(memory, at, part, matrix)) return false;
      const bool ended = eigenvalues(matrix, with, found);
      if (!tell(memory, info + i, ended ? 0 : n + 1)) return false;
      if (ended && (!store_array<Real<S>>(memory, static_cast<const Real<S>*>(values) + i * n, found) ||
                    (with && !store<S>(memory, at, matrix))))
        return false;
    }
    return true;
  });
}

}  // namespace warplens::solver
