// Functions with sizes of 64 bits and types as arguments.
#pragma once

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t* made);
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t made);
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t, cusolverAlgMode_t);
cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t, cublasFillMode_t part,
                                             int64_t n, cudaDataType, const void*, int64_t lda, cudaDataType,
                                             size_t* device, size_t* host);
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t h, cusolverDnParams_t, cublasFillMode_t part, int64_t n,
                                  cudaDataType type, void* a, int64_t lda, cudaDataType computed, void*,
                                  size_t, void*, size_t, int* info);
cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t h, cusolverDnParams_t, cublasFillMode_t part, int64_t n,
                                  int64_t columns, cudaDataType type, const void* a, int64_t lda,
                                  cudaDataType type_b, void* b, int64_t ldb, int* info);
cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t, int64_t m, int64_t n,
                                             cudaDataType, const void*, int64_t lda, cudaDataType,
                                             size_t* device, size_t* host);
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t h, cusolverDnParams_t, int64_t m, int64_t n,
                                  cudaDataType type, void* a, int64_t lda, int64_t* pivots,
                                  cudaDataType computed, void*, size_t, void*, size_t, int* info);
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t h, cusolverDnParams_t, cublasOperation_t op, int64_t n,
                                  int64_t columns, cudaDataType type, const void* a, int64_t lda,
                                  const int64_t* pivots, cudaDataType type_b, void* b, int64_t ldb,
                                  int* info);
cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t, int64_t m, int64_t n,
                                             cudaDataType, const void*, int64_t lda, cudaDataType,
                                             const void*, cudaDataType, size_t* device, size_t* host);
cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t h, cusolverDnParams_t, int64_t m, int64_t n,
                                  cudaDataType type, void* a, int64_t lda, cudaDataType type_tau, void* tau,
                                  cudaDataType computed, void*, size_t, void*, size_t, int* info);
cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t, cusolverEigMode_t,
                                             cublasFillMode_t part, int64_t n, cudaDataType, const void*,
                                             int64_t lda, cudaDataType, const void*, cudaDataType,
                                             size_t* device, size_t* host);
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t h, cusolverDnParams_t, cusolverEigMode_t mode,
                                  cublasFillMode_t part, int64_t n, cudaDataType type, void* a, int64_t lda,
                                  cudaDataType type_values, void* values, cudaDataType computed, void*,
                                  size_t, void*, size_t, int* info);
cusolverStatus_t cusolverDnXgesvd_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t, signed char job_u,
                                             signed char job_v, int64_t m, int64_t n, cudaDataType,
                                             const void*, int64_t lda, cudaDataType, const void*,
                                             cudaDataType, const void*, int64_t, cudaDataType, const void*,
                                             int64_t, cudaDataType, size_t* device, size_t* host);
cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t h, cusolverDnParams_t, signed char job_u,
                                  signed char job_v, int64_t m, int64_t n, cudaDataType type, void* a,
                                  int64_t lda, cudaDataType type_values, void* values, cudaDataType type_u,
                                  void* u, int64_t ldu, cudaDataType type_v, void* v, int64_t ldv,
                                  cudaDataType computed, void*, size_t, void*, size_t, int* info);
