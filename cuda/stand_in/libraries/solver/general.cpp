// The same with sizes of 64 bits and types as arguments (cuSOLVER documentation, "Dense Linear Solver
// Reference (64-bit API)").
#include "cuda/stand_in/libraries/solver/spectral.h"

struct cusolverDnParams {};

using namespace warplens::solver;

namespace {

// f(S{}) with the type of elements, where all types are of one precision.
template <class F>
cusolverStatus_t with_type(cudaDataType type, std::initializer_list<cudaDataType> same,
                           std::initializer_list<cudaDataType> real, F f) {
  for (const cudaDataType other : same)
    if (other != type) return CUSOLVER_STATUS_NOT_SUPPORTED;
  const bool wide = type == CUDA_R_64F || type == CUDA_C_64F;
  for (const cudaDataType other : real)
    if (other != (wide ? CUDA_R_64F : CUDA_R_32F)) return CUSOLVER_STATUS_NOT_SUPPORTED;
  switch (type) {
    case CUDA_R_32F:
      return f(float{});
    case CUDA_R_64F:
      return f(double{});
    case CUDA_C_32F:
      return f(std::complex<float>{});
    case CUDA_C_64F:
      return f(std::complex<double>{});
    default:
      return CUSOLVER_STATUS_NOT_SUPPORTED;
  }
}

cusolverStatus_t size(const cusolverDnContext* handle, bool arguments, size_t* device, size_t* host) {
  const auto end = valid(handle, arguments && device != nullptr && host != nullptr);
  if (end != success) return end;
  *device = work_elements;
  *host = 0;
  return success;
}

}  // namespace

extern "C" {

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t* made) {
  if (made == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  *made = new (std::nothrow) cusolverDnParams;
  return *made == nullptr ? CUSOLVER_STATUS_ALLOC_FAILED : success;
}
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t made) {
  delete made;
  return success;
}
// Each algorithm gives the same here.
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t, cusolverAlgMode_t) {
  return params == nullptr ? CUSOLVER_STATUS_INVALID_VALUE : success;
}

cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t, cublasFillMode_t part,
                                             int64_t n, cudaDataType, const void*, int64_t lda, cudaDataType,
                                             size_t* device, size_t* host) {
  return size(h, is_triangle(part) && n >= 0 && fits(lda, n), device, host);
}
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t h, cusolverDnParams_t, cublasFillMode_t part, int64_t n,
                                  cudaDataType type, void* a, int64_t lda, cudaDataType computed, void*,
                                  size_t, void*, size_t, int* info) {
  return with_type(type, {computed}, {},
                   [&]<class S>(S) { return potrf<S>("cusolverDnXpotrf", h, part, n, a, lda, info); });
}
cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t h, cusolverDnParams_t, cublasFillMode_t part, int64_t n,
                                  int64_t columns, cudaDataType type, const void* a, int64_t lda,
                                  cudaDataType type_b, void* b, int64_t ldb, int* info) {
  return with_type(type, {type_b}, {}, [&]<class S>(S) {
    return potrs<S>("cusolverDnXpotrs", h, part, n, columns, a, lda, b, ldb, info);
  });
}

cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t, int64_t m, int64_t n,
                                             cudaDataType, const void*, int64_t lda, cudaDataType,
                                             size_t* device, size_t* host) {
  return size(h, m >= 0 && n >= 0 && fits(lda, m), device, host);
}
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t h, cusolverDnParams_t, int64_t m, int64_t n,
                                  cudaDataType type, void* a, int64_t lda, int64_t* pivots,
                                  cudaDataType computed, void*, size_t, void*, size_t, int* info) {
  return with_type(type, {computed}, {},
                   [&]<class S>(S) { return getrf<S>("cusolverDnXgetrf", h, m, n, a, lda, pivots, info); });
}
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t h, cusolverDnParams_t, cublasOperation_t op, int64_t n,
                                  int64_t columns, cudaDataType type, const void* a, int64_t lda,
                                  const int64_t* pivots, cudaDataType type_b, void* b, int64_t ldb,
                                  int* info) {
  return with_type(type, {type_b}, {}, [&]<class S>(S) {
    return getrs<S>("cusolverDnXgetrs", h, op, n, columns, a, lda, pivots, b, ldb, info);
  });
}

cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t, int64_t m, int64_t n,
                                             cudaDataType, const void*, int64_t lda, cudaDataType,
                                             const void*, cudaDataType, size_t* device, size_t* host) {
  return size(h, m >= 0 && n >= 0 && fits(lda, m), device, host);
}
cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t h, cusolverDnParams_t, int64_t m, int64_t n,
                                  cudaDataType type, void* a, int64_t lda, cudaDataType type_tau, void* tau,
                                  cudaDataType computed, void*, size_t, void*, size_t, int* info) {
  return with_type(type, {type_tau, computed}, {},
                   [&]<class S>(S) { return geqrf<S>("cusolverDnXgeqrf", h, m, n, a, lda, tau, info); });
}

cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t, cusolverEigMode_t,
                                             cublasFillMode_t part, int64_t n, cudaDataType, const void*,
                                             int64_t lda, cudaDataType, const void*, cudaDataType,
                                             size_t* device, size_t* host) {
  return size(h, is_triangle(part) && n >= 0 && fits(lda, n), device, host);
}
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t h, cusolverDnParams_t, cusolverEigMode_t mode,
                                  cublasFillMode_t part, int64_t n, cudaDataType type, void* a, int64_t lda,
                                  cudaDataType type_values, void* values, cudaDataType computed, void*,
                                  size_t, void*, size_t, int* info) {
  return with_type(type, {computed}, {type_values}, [&]<class S>(S) {
    return syevd<S>("cusolverDnXsyevd", h, mode, part, n, a, lda, values, info);
  });
}

cusolverStatus_t cusolverDnXgesvd_bufferSize(cusolverDnHandle_t h, cusolverDnParams_t, signed char job_u,
                                             signed char job_v, int64_t m, int64_t n, cudaDataType,
                                             const void*, int64_t lda, cudaDataType, const void*,
                                             cudaDataType, const void*, int64_t, cudaDataType, const void*,
                                             int64_t, cudaDataType, size_t* device, size_t* host) {
  return size(h, is_job(job_u) && is_job(job_v) && n >= 0 && m >= n && fits(lda, m), device, host);
}
cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t h, cusolverDnParams_t, signed char job_u,
                                  signed char job_v, int64_t m, int64_t n, cudaDataType type, void* a,
                                  int64_t lda, cudaDataType type_values, void* values, cudaDataType type_u,
                                  void* u, int64_t ldu, cudaDataType type_v, void* v, int64_t ldv,
                                  cudaDataType computed, void*, size_t, void*, size_t, int* info) {
  return with_type(type, {type_u, type_v, computed}, {type_values}, [&]<class S>(S) {
    return gesvd<S>("cusolverDnXgesvd", h, job_u, job_v, m, n, a, lda, values, u, ldu, v, ldv, info);
  });
}

}  // extern "C"
