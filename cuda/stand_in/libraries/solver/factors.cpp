// Cholesky, LU and QR (cuSOLVER documentation, "Dense Linear Solver Reference (legacy)").
#include "cuda/stand_in/libraries/solver/factors.h"

using namespace warplens::solver;

namespace {

template <class S>
cusolverStatus_t potri(const char* name, const cusolverDnContext* handle, cublasFillMode_t part, int64_t n,
                       const void* a, int64_t lda, const int* info) {
  const auto end = valid(handle, is_triangle(part) && n >= 0 && fits(lda, n) && info != nullptr);
  if (end != success) return end;
  return run(*handle, call_of<S>(name, {n, n}, cube(n) / 3), [=](const Memory& memory) {
    Dense<Wide<S>> factor, inverse(n, n);
    if (!load_factor<S>(memory, {a, n, n, lda}, part, factor)) return false;
    for (int64_t i = 0; i < n; ++i) {
      if (factor(i, i) == Wide<S>(0)) return tell(memory, info, i + 1);
      inverse(i, i) = 1;
    }
    solve_cholesky(factor, inverse);
    return store<S>(memory, {a, n, n, lda}, inverse, part) && tell(memory, info, 0);
  });
}

template <class S>
cusolverStatus_t potrf_batched(const char* name, const cusolverDnContext* handle, cublasFillMode_t part,
                               int64_t n, const void* a, int64_t lda, const int* info, int64_t count) {
  const auto end = valid(handle, is_triangle(part) && n >= 0 && fits(lda, n) && count >= 0);
  if (end != success || count == 0) return end;
  return run(*handle, call_of<S>(name, {n, n}, cube(n) / 6, count), [=](const Memory& memory) {
    const auto* of = memory.array<const void* const>(a, count, warplens_reads);
    if (of == nullptr) return false;
    for (int64_t i = 0; i < count; ++i) {
      Dense<Wide<S>> matrix;
      if (!load_factor<S>(memory, {of[i], n, n, lda}, part, matrix)) return false;
      const int64_t minor = cholesky(matrix);
      if (!store_factor<S>(memory, {of[i], n, n, lda}, part, matrix) || !tell(memory, info + i, minor))
        return false;
    }
    return true;
  });
}

// One right side each, as in NVIDIA's.
template <class S>
cusolverStatus_t potrs_batched(const char* name, const cusolverDnContext* handle, cublasFillMode_t part,
                               int64_t n, int64_t columns, const void* a, int64_t lda, const void* b,
                               int64_t ldb, const int* info, int64_t count) {
  const auto end = valid(handle, is_triangle(part) && n >= 0 && columns == 1 && fits(lda, n) &&
                                     fits(ldb, n) && count >= 0 && info != nullptr);
  if (end != success || count == 0) return end;
  return run(*handle, call_of<S>(name, {n, columns}, double(n) * double(n), count),
             [=](const Memory& memory) {
               const auto* of = memory.array<const void* const>(a, count, warplens_reads);
               const auto* to = memory.array<const void* const>(b, count, warplens_reads);
               if (of == nullptr || to == nullptr) return false;
               for (int64_t i = 0; i < count; ++i) {
                 Dense<Wide<S>> factor, right;
                 if (!load_factor<S>(memory, {of[i], n, n, lda}, part, factor) ||
                     !load<S>(memory, {to[i], n, columns, ldb}, right))
                   return false;
                 solve_cholesky(factor, right);
                 if (!store<S>(memory, {to[i], n, columns, ldb}, right)) return false;
               }
               return tell(memory, info, 0);
             });
}

bool fits_q(int64_t m, int64_t n, int64_t k, int64_t lda) {
  return n >= 0 && m >= n && k >= 0 && k <= n && fits(lda, m);
}

// The first columns of Q.
template <class S>
cusolverStatus_t orgqr(const char* name, const cusolverDnContext* handle, int64_t m, int64_t n, int64_t k,
                       const void* a, int64_t lda, const void* tau, const int* info) {
  const auto end = valid(handle, fits_q(m, n, k, lda) && info != nullptr);
  if (end != success) return end;
  return run(*handle, call_of<S>(name, {m, n, k}, 2 * double(m) * double(n) * double(k)),
             [=](const Memory& memory) {
               Dense<Wide<S>> reflections, q(m, n);
               std::vector<Wide<S>> factors;
               if (!load<S>(memory, {a, m, k, lda}, reflections) || !load_array<S>(memory, tau, k, factors))
                 return false;
               for (int64_t i = 0; i < n; ++i) q(i, i) = 1;
               apply_q(reflections, factors, true, false, q);
               return store<S>(memory, {a, m, n, lda}, q) && tell(memory, info, 0);
             });
}

template <class S>
bool fits_product(cublasSideMode_t side, cublasOperation_t op, int64_t m, int64_t n, int64_t k, int64_t lda,
                  int64_t ldc) {
  const int64_t order = side == CUBLAS_SIDE_LEFT ? m : n;
  const bool known = op == CUBLAS_OP_N || op == CUBLAS_OP_C || (op == CUBLAS_OP_T && !is_complex<S>);
  return is_side(side) && known && m >= 0 && n >= 0 && k >= 0 && k <= order && fits(lda, order) &&
         fits(ldc, m);
}

template <class S>
cusolverStatus_t ormqr(const char* name, const cusolverDnContext* handle, cublasSideMode_t side,
                       cublasOperation_t op, int64_t m, int64_t n, int64_t k, const void* a, int64_t lda,
                       const void* tau, const void* c, int64_t ldc, const int* info) {
  const auto end = valid(handle, fits_product<S>(side, op, m, n, k, lda, ldc) && info != nullptr);
  if (end != success) return end;
  const bool left = side == CUBLAS_SIDE_LEFT;
  return run(*handle, call_of<S>(name, {m, n, k}, 2 * double(m) * double(n) * double(k)),
             [=](const Memory& memory) {
               Dense<Wide<S>> reflections, matrix;
               std::vector<Wide<S>> factors;
               if (!load<S>(memory, {a, left ? m : n, k, lda}, reflections) ||
                   !load_array<S>(memory, tau, k, factors) || !load<S>(memory, {c, m, n, ldc}, matrix))
                 return false;
               apply_q(reflections, factors, left, op != CUBLAS_OP_N, matrix);
               return store<S>(memory, {c, m, n, ldc}, matrix) && tell(memory, info, 0);
             });
}

}  // namespace

extern "C" {

// NOLINTBEGIN(bugprone-macro-parentheses): arguments are types and parts of names.
#define FOR_TYPE(S, T, Q)                                                                                   \
  cusolverStatus_t cusolverDn##S##potrf_bufferSize(cusolverDnHandle_t h, cublasFillMode_t part, int n, T*,  \
                                                   int lda, int* elements) {                                \
    return size(h, is_triangle(part) && n >= 0 && fits(lda, n), elements);                                  \
  }                                                                                                         \
  cusolverStatus_t cusolverDn##S##potrf(cusolverDnHandle_t h, cublasFillMode_t part, int n, T* a, int lda,  \
                                        T*, int, int* info) {                                               \
    return potrf<Value<T>>("cusolverDn" #S "potrf", h, part, n, a, lda, info);                              \
  }                                                                                                         \
  cusolverStatus_t cusolverDn##S##potrs(cusolverDnHandle_t h, cublasFillMode_t part, int n, int columns,    \
                                        const T* a, int lda, T* b, int ldb, int* info) {                    \
    return potrs<Value<T>>("cusolverDn" #S "potrs", h, part, n, columns, a, lda, b, ldb, info);             \
  }                                                                                                         \
  cusolverStatus_t cusolverDn##S##potrfBatched(cusolverDnHandle_t h, cublasFillMode_t part, int n, T* a[],  \
                                               int lda, int* info, int count) {                             \
    return potrf_batched<Value<T>>("cusolverDn" #S "potrfBatched", h, part, n, a, lda, info, count);        \
  }                                                                                                         \
  cusolverStatus_t cusolverDn##S##potrsBatched(cusolverDnHandle_t h, cublasFillMode_t part, int n,          \
                                               int columns, T* a[], int lda, T* b[], int ldb, int* info,    \
                                               int count) {                                                 \
    return potrs_batched<Value<T>>("cusolverDn" #S "potrsBatched", h, part, n, columns, a, lda, b, ldb,     \
                                   info, count);                                                            \
  }                                                                                                         \
  cusolverStatus_t cusolverDn##S##potri_bufferSize(cusolverDnHandle_t h, cublasFillMode_t part, int n, T*,  \
                                                   int lda, int* elements) {                                \
    return size(h, is_triangle(part) && n >= 0 && fits(lda, n), elements);                                  \
  }                                                                                                         \
  cusolverStatus_t cusolverDn##S##potri(cusolverDnHandle_t h, cublasFillMode_t part, int n, T* a, int lda,  \
                                        T*, int, int* info) {                                               \
    return potri<Value<T>>("cusolverDn" #S "potri", h, part, n, a, lda, info);                              \
  }                                                                                                         \
  cusolverStatus_t cusolverDn##S##getrf_bufferSize(cusolverDnHandle_t h, int m, int n, T*, int lda,         \
                                                   int* elements) {                                         \
    return size(h, m >= 0 && n >= 0 && fits(lda, m), elements);                                             \
  }                                                                                                         \
  cusolverStatus_t cusolverDn##S##getrf(cusolverDnHandle_t h, int m, int n, T* a, int lda, T*, int* pivots, \
                                        int* info) {                                                        \
    return getrf<Value<T>>("cusolverDn" #S "getrf", h, m, n, a, lda, pivots, info);                         \
  }                                                                                                         \
  cusolverStatus_t cusolverDn##S##getrs(cusolverDnHandle_t h, cublasOperation_t op, int n, int columns,     \
                                        const T* a, int lda, const int* pivots, T* b, int ldb, int* info) { \
    return getrs<Value<T>>("cusolverDn" #S "getrs", h, op, n, columns, a, lda, pivots, b, ldb, info);       \
  }                                                                                                         \
  cusolverStatus_t cusolverDn##S##geqrf_bufferSize(cusolverDnHandle_t h, int m, int n, T*, int lda,         \
                                                   int* elements) {                                         \
    return size(h, m >= 0 && n >= 0 && fits(lda, m), elements);                                             \
  }                                                                                                         \
  cusolverStatus_t cusolverDn##S##geqrf(cusolverDnHandle_t h, int m, int n, T* a, int lda, T* tau, T*, int, \
                                        int* info) {                                                        \
    return geqrf<Value<T>>("cusolverDn" #S "geqrf", h, m, n, a, lda, tau, info);                            \
  }                                                                                                         \
  cusolverStatus_t cusolverDn##S##Q##gqr_bufferSize(cusolverDnHandle_t h, int m, int n, int k, const T*,    \
                                                    int lda, const T*, int* elements) {                     \
    return size(h, fits_q(m, n, k, lda), elements);                                                         \
  }                                                                                                         \
  cusolverStatus_t cusolverDn##S##Q##gqr(cusolverDnHandle_t h, int m, int n, int k, T* a, int lda,          \
                                         const T* tau, T*, int, int* info) {                                \
    return orgqr<Value<T>>("cusolverDn" #S #Q "gqr", h, m, n, k, a, lda, tau, info);                        \
  }                                                                                                         \
  cusolverStatus_t cusolverDn##S##Q##mqr_bufferSize(cusolverDnHandle_t h, cublasSideMode_t side,            \
                                                    cublasOperation_t op, int m, int n, int k, const T*,    \
                                                    int lda, const T*, const T*, int ldc, int* elements) {  \
    return size(h, fits_product<Value<T>>(side, op, m, n, k, lda, ldc), elements);                          \
  }                                                                                                         \
  cusolverStatus_t cusolverDn##S##Q##mqr(cusolverDnHandle_t h, cublasSideMode_t side, cublasOperation_t op, \
                                         int m, int n, int k, const T* a, int lda, const T* tau, T* c,      \
                                         int ldc, T*, int, int* info) {                                     \
    return ormqr<Value<T>>("cusolverDn" #S #Q "mqr", h, side, op, m, n, k, a, lda, tau, c, ldc, info);      \
  }
FOR_TYPE(S, float, or)
FOR_TYPE(D, double, or)
FOR_TYPE(C, cuComplex, un)
FOR_TYPE(Z, cuDoubleComplex, un)
#undef FOR_TYPE
// NOLINTEND(bugprone-macro-parentheses)

}  // extern "C"
