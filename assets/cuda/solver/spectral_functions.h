// Singular values and eigenvalues, of each type.
#pragma once

cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t* info);
cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t info);
cusolverStatus_t cusolverDnXsyevjSetTolerance(syevjInfo_t info, double);
cusolverStatus_t cusolverDnXsyevjSetMaxSweeps(syevjInfo_t info, int sweeps);
cusolverStatus_t cusolverDnXsyevjSetSortEig(syevjInfo_t info, int);
cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t* info);
cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t info);
cusolverStatus_t cusolverDnXgesvdjSetTolerance(gesvdjInfo_t info, double);
cusolverStatus_t cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t info, int sweeps);
cusolverStatus_t cusolverDnXgesvdjSetSortEig(gesvdjInfo_t info, int);

#define CUSOLVER_OF_TYPE(S, T, R, E)                                                                        \
  cusolverStatus_t cusolverDn##S##gesvd_bufferSize(cusolverDnHandle_t h, int m, int n, int* elements);      \
  cusolverStatus_t cusolverDn##S##gesvd(cusolverDnHandle_t h, signed char job_u, signed char job_v, int m,  \
                                        int n, T* a, int lda, R* values, T* u, int ldu, T* v, int ldv, T*,  \
                                        int, R*, int* info);                                                \
  cusolverStatus_t cusolverDn##S##gesvdj_bufferSize(cusolverDnHandle_t h, cusolverEigMode_t, int, int m,    \
                                                    int n, const T*, int lda, const R*, const T*, int,      \
                                                    const T*, int, int* elements, gesvdjInfo_t how);        \
  cusolverStatus_t cusolverDn##S##gesvdj(cusolverDnHandle_t h, cusolverEigMode_t mode, int thin, int m,     \
                                         int n, T* a, int lda, R* values, T* u, int ldu, T* v, int ldv, T*, \
                                         int, int* info, gesvdjInfo_t how);                                 \
  cusolverStatus_t cusolverDn##S##gesvdjBatched_bufferSize(                                                 \
      cusolverDnHandle_t h, cusolverEigMode_t, int m, int n, const T*, int lda, const R*, const T*, int,    \
      const T*, int, int* elements, gesvdjInfo_t how, int count);                                           \
  cusolverStatus_t cusolverDn##S##gesvdjBatched(cusolverDnHandle_t h, cusolverEigMode_t mode, int m, int n, \
                                                T* a, int lda, R* values, T* u, int ldu, T* v, int ldv, T*, \
                                                int, int* info, gesvdjInfo_t how, int count);               \
  cusolverStatus_t cusolverDn##S##E##evd_bufferSize(cusolverDnHandle_t h, cusolverEigMode_t,                \
                                                    cublasFillMode_t part, int n, const T*, int lda,        \
                                                    const R*, int* elements);                               \
  cusolverStatus_t cusolverDn##S##E##evd(cusolverDnHandle_t h, cusolverEigMode_t mode,                      \
                                         cublasFillMode_t part, int n, T* a, int lda, R* values, T*, int,   \
                                         int* info);                                                        \
  cusolverStatus_t cusolverDn##S##E##evj_bufferSize(cusolverDnHandle_t h, cusolverEigMode_t,                \
                                                    cublasFillMode_t part, int n, const T*, int lda,        \
                                                    const R*, int* elements, syevjInfo_t how);              \
  cusolverStatus_t cusolverDn##S##E##evj(cusolverDnHandle_t h, cusolverEigMode_t mode,                      \
                                         cublasFillMode_t part, int n, T* a, int lda, R* values, T*, int,   \
                                         int* info, syevjInfo_t how);                                       \
  cusolverStatus_t cusolverDn##S##E##evjBatched_bufferSize(                                                 \
      cusolverDnHandle_t h, cusolverEigMode_t, cublasFillMode_t part, int n, const T*, int lda, const R*,   \
      int* elements, syevjInfo_t how, int count);                                                           \
  cusolverStatus_t cusolverDn##S##E##evjBatched(cusolverDnHandle_t h, cusolverEigMode_t mode,               \
                                                cublasFillMode_t part, int n, T* a, int lda, R* values, T*, \
                                                int, int* info, syevjInfo_t how, int count)
CUSOLVER_OF_TYPE(S, float, float, sy);
CUSOLVER_OF_TYPE(D, double, double, sy);
CUSOLVER_OF_TYPE(C, cuComplex, float, he);
CUSOLVER_OF_TYPE(Z, cuDoubleComplex, double, he);
#undef CUSOLVER_OF_TYPE
