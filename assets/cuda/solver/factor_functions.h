// Cholesky, LU and QR, of each type.
#pragma once

#define CUSOLVER_OF_TYPE(S, T, Q)                                                                           \
  cusolverStatus_t cusolverDn##S##potrf_bufferSize(cusolverDnHandle_t h, cublasFillMode_t part, int n, T*,  \
                                                   int lda, int* elements);                                 \
  cusolverStatus_t cusolverDn##S##potrf(cusolverDnHandle_t h, cublasFillMode_t part, int n, T* a, int lda,  \
                                        T*, int, int* info);                                                \
  cusolverStatus_t cusolverDn##S##potrs(cusolverDnHandle_t h, cublasFillMode_t part, int n, int columns,    \
                                        const T* a, int lda, T* b, int ldb, int* info);                     \
  cusolverStatus_t cusolverDn##S##potrfBatched(cusolverDnHandle_t h, cublasFillMode_t part, int n, T* a[],  \
                                               int lda, int* info, int count);                              \
  cusolverStatus_t cusolverDn##S##potrsBatched(cusolverDnHandle_t h, cublasFillMode_t part, int n,          \
                                               int columns, T* a[], int lda, T* b[], int ldb, int* info,    \
                                               int count);                                                  \
  cusolverStatus_t cusolverDn##S##potri_bufferSize(cusolverDnHandle_t h, cublasFillMode_t part, int n, T*,  \
                                                   int lda, int* elements);                                 \
  cusolverStatus_t cusolverDn##S##potri(cusolverDnHandle_t h, cublasFillMode_t part, int n, T* a, int lda,  \
                                        T*, int, int* info);                                                \
  cusolverStatus_t cusolverDn##S##getrf_bufferSize(cusolverDnHandle_t h, int m, int n, T*, int lda,         \
                                                   int* elements);                                          \
  cusolverStatus_t cusolverDn##S##getrf(cusolverDnHandle_t h, int m, int n, T* a, int lda, T*, int* pivots, \
                                        int* info);                                                         \
  cusolverStatus_t cusolverDn##S##getrs(cusolverDnHandle_t h, cublasOperation_t op, int n, int columns,     \
                                        const T* a, int lda, const int* pivots, T* b, int ldb, int* info);  \
  cusolverStatus_t cusolverDn##S##geqrf_bufferSize(cusolverDnHandle_t h, int m, int n, T*, int lda,         \
                                                   int* elements);                                          \
  cusolverStatus_t cusolverDn##S##geqrf(cusolverDnHandle_t h, int m, int n, T* a, int lda, T* tau, T*, int, \
                                        int* info);                                                         \
  cusolverStatus_t cusolverDn##S##Q##gqr_bufferSize(cusolverDnHandle_t h, int m, int n, int k, const T*,    \
                                                    int lda, const T*, int* elements);                      \
  cusolverStatus_t cusolverDn##S##Q##gqr(cusolverDnHandle_t h, int m, int n, int k, T* a, int lda,          \
                                         const T* tau, T*, int, int* info);                                 \
  cusolverStatus_t cusolverDn##S##Q##mqr_bufferSize(cusolverDnHandle_t h, cublasSideMode_t side,            \
                                                    cublasOperation_t op, int m, int n, int k, const T*,    \
                                                    int lda, const T*, const T*, int ldc, int* elements);   \
  cusolverStatus_t cusolverDn##S##Q##mqr(cusolverDnHandle_t h, cublasSideMode_t side, cublasOperation_t op, \
                                         int m, int n, int k, const T* a, int lda, const T* tau, T* c,      \
                                         int ldc, T*, int, int* info)
CUSOLVER_OF_TYPE(S, float, or);
CUSOLVER_OF_TYPE(D, double, or);
CUSOLVER_OF_TYPE(C, cuComplex, un);
CUSOLVER_OF_TYPE(Z, cuDoubleComplex, un);
#undef CUSOLVER_OF_TYPE
