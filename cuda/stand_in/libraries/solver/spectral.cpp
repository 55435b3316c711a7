// Singular values and eigenvalues (cuSOLVER documentation, "Dense Eigenvalue Solver Reference (legacy)").
// Those by Jacobi's method are computed as the others are: tolerances and numbers of sweeps have no effect.
#include "cuda/stand_in/libraries/solver/spectral.h"

struct syevjInfo {};
struct gesvdjInfo {};

using namespace warplens::solver;

namespace {

template <class Info>
cusolverStatus_t create(Info** made) {
  if (made == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  *made = new (std::nothrow) Info;
  return *made == nullptr ? CUSOLVER_STATUS_ALLOC_FAILED : success;
}
template <class Info>
cusolverStatus_t set(const Info* info, bool value) {
  return info == nullptr ? CUSOLVER_STATUS_NOT_INITIALIZED : value ? success : CUSOLVER_STATUS_INVALID_VALUE;
}

constexpr int most_rows_of_a_batch = 32;  // of gesvdjBatched, as in NVIDIA's

}  // namespace

extern "C" {

cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t* info) { return create(info); }
cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t info) {
  delete info;
  return success;
}
cusolverStatus_t cusolverDnXsyevjSetTolerance(syevjInfo_t info, double) { return set(info, true); }
cusolverStatus_t cusolverDnXsyevjSetMaxSweeps(syevjInfo_t info, int sweeps) { return set(info, sweeps >= 0); }
cusolverStatus_t cusolverDnXsyevjSetSortEig(syevjInfo_t info, int) { return set(info, true); }
cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t* info) { return create(info); }
cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t info) {
  delete info;
  return success;
}
cusolverStatus_t cusolverDnXgesvdjSetTolerance(gesvdjInfo_t info, double) { return set(info, true); }
cusolverStatus_t cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t info, int sweeps) {
  return set(info, sweeps >= 0);
}
cusolverStatus_t cusolverDnXgesvdjSetSortEig(gesvdjInfo_t info, int) { return set(info, true); }

// NOLINTBEGIN(bugprone-macro-parentheses): arguments are types and parts of names.
#define FOR_TYPE(S, T, R, E)                                                                                \
  cusolverStatus_t cusolverDn##S##gesvd_bufferSize(cusolverDnHandle_t h, int m, int n, int* elements) {     \
    return size(h, n >= 0 && m >= 0, elements);                                                             \
  }                                                                                                         \
  cusolverStatus_t cusolverDn##S##gesvd(cusolverDnHandle_t h, signed char job_u, signed char job_v, int m,  \
                                        int n, T* a, int lda, R* values, T* u, int ldu, T* v, int ldv, T*,  \
                                        int, R*, int* info) {                                               \
    return gesvd<Value<T>>("cusolverDn" #S "gesvd", h, job_u, job_v, m, n, a, lda, values, u, ldu, v, ldv,  \
                           info);                                                                           \
  }                                                                                                         \
  cusolverStatus_t cusolverDn##S##gesvdj_bufferSize(cusolverDnHandle_t h, cusolverEigMode_t, int, int m,    \
                                                    int n, const T*, int lda, const R*, const T*, int,      \
                                                    const T*, int, int* elements, gesvdjInfo_t how) {       \
    return size(h, m >= 0 && n >= 0 && fits(lda, m) && how != nullptr, elements);                           \
  }                                                                                                         \
  cusolverStatus_t cusolverDn##S##gesvdj(cusolverDnHandle_t h, cusolverEigMode_t mode, int thin, int m,     \
                                         int n, T* a, int lda, R* values, T* u, int ldu, T* v, int ldv, T*, \
                                         int, int* info, gesvdjInfo_t how) {                                \
    if (how == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;                                               \
    return gesvdj<Value<T>>("cusolverDn" #S "gesvdj", h, mode, thin != 0, m, n, a, lda, values, u, ldu, v,  \
                            ldv, info);                                                                     \
  }                                                                                                         \
  cusolverStatus_t cusolverDn##S##gesvdjBatched_bufferSize(                                                 \
      cusolverDnHandle_t h, cusolverEigMode_t, int m, int n, const T*, int lda, const R*, const T*, int,    \
      const T*, int, int* elements, gesvdjInfo_t how, int count) {                                          \
    return size(h,                                                                                          \
                m >= 0 && n >= 0 && m <= most_rows_of_a_batch && n <= most_rows_of_a_batch &&               \
                    fits(lda, m) && count >= 0 && how != nullptr,                                           \
                elements);                                                                                  \
  }                                                                                                         \
  cusolverStatus_t cusolverDn##S##gesvdjBatched(cusolverDnHandle_t h, cusolverEigMode_t mode, int m, int n, \
                                                T* a, int lda, R* values, T* u, int ldu, T* v, int ldv, T*, \
                                                int, int* info, gesvdjInfo_t how, int count) {              \
    if (how == nullptr || m > most_rows_of_a_batch || n > most_rows_of_a_batch)                             \
      return CUSOLVER_STATUS_INVALID_VALUE;                                                                 \
    return gesvdj<Value<T>>("cusolverDn" #S "gesvdjBatched", h, mode, false, m, n, a, lda, values, u, ldu,  \
                            v, ldv, info, count);                                                           \
  }                                                                                                         \
  cusolverStatus_t cusolverDn##S##E##evd_bufferSize(cusolverDnHandle_t h, cusolverEigMode_t,                \
                                                    cublasFillMode_t part, int n, const T*, int lda,        \
                                                    const R*, int* elements) {                              \
    return size(h, is_triangle(part) && n >= 0 && fits(lda, n), elements);                                  \
  }                                                                                                         \
  cusolverStatus_t cusolverDn##S##E##evd(cusolverDnHandle_t h, cusolverEigMode_t mode,                      \
                                         cublasFillMode_t part, int n, T* a, int lda, R* values, T*, int,   \
                                         int* info) {                                                       \
    return syevd<Value<T>>("cusolverDn" #S #E "evd", h, mode, part, n, a, lda, values, info);               \
  }                                                                                                         \
  cusolverStatus_t cusolverDn##S##E##evj_bufferSize(cusolverDnHandle_t h, cusolverEigMode_t,                \
                                                    cublasFillMode_t part, int n, const T*, int lda,        \
                                                    const R*, int* elements, syevjInfo_t how) {             \
    return size(h, is_triangle(part) && n >= 0 && fits(lda, n) && how != nullptr, elements);                \
  }                                                                                                         \
  cusolverStatus_t cusolverDn##S##E##evj(cusolverDnHandle_t h, cusolverEigMode_t mode,                      \
                                         cublasFillMode_t part, int n, T* a, int lda, R* values, T*, int,   \
                                         int* info, syevjInfo_t how) {                                      \
    if (how == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;                                               \
    return syevd<Value<T>>("cusolverDn" #S #E "evj", h, mode, part, n, a, lda, values, info);               \
  }                                                                                                         \
  cusolverStatus_t cusolverDn##S##E##evjBatched_bufferSize(                                                 \
      cusolverDnHandle_t h, cusolverEigMode_t, cublasFillMode_t part, int n, const T*, int lda, const R*,   \
      int* elements, syevjInfo_t how, int count) {                                                          \
    return size(h, is_triangle(part) && n >= 0 && fits(lda, n) && count >= 0 && how != nullptr, elements);  \
  }                                                                                                         \
  cusolverStatus_t cusolverDn##S##E##evjBatched(cusolverDnHandle_t h, cusolverEigMode_t mode,               \
                                                cublasFillMode_t part, int n, T* a, int lda, R* values, T*, \
                                                int, int* info, syevjInfo_t how, int count) {               \
    if (how == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;                                               \
    return syevd<Value<T>>("cusolverDn" #S #E "evjBatched", h, mode, part, n, a, lda, values, info, count); \
  }
FOR_TYPE(S, float, float, sy)
FOR_TYPE(D, double, double, sy)
FOR_TYPE(C, cuComplex, float, he)
FOR_TYPE(Z, cuDoubleComplex, double, he)
#undef FOR_TYPE
// NOLINTEND(bugprone-macro-parentheses)

}  // extern "C"
