// What cuBLAS's codes mean; cuBLASLt has the same ones.
#include "cuda/stand_in/libraries/blas/handle.h"

namespace warplens::blas {

cublasStatus_t status_of(CUresult code) {
  switch (code) {
    case CUDA_SUCCESS:
      return CUBLAS_STATUS_SUCCESS;
    case CUDA_ERROR_NOT_INITIALIZED:
    case CUDA_ERROR_NO_DEVICE:
    case CUDA_ERROR_INVALID_DEVICE:
      return CUBLAS_STATUS_NOT_INITIALIZED;
    case CUDA_ERROR_OUT_OF_MEMORY:
      return CUBLAS_STATUS_ALLOC_FAILED;
    case CUDA_ERROR_NOT_SUPPORTED:
      return CUBLAS_STATUS_NOT_SUPPORTED;
    default:
      return CUBLAS_STATUS_EXECUTION_FAILED;
  }
}

namespace {

struct StatusRow {
  cublasStatus_t status;
  const char *name, *text;
};
#define STATUS(name, text) \
  { CUBLAS_STATUS_##name, "CUBLAS_STATUS_" #name, text }
constexpr StatusRow statuses[] = {
    STATUS(SUCCESS, "success"),
    STATUS(NOT_INITIALIZED, "the library was not initialized"),
    STATUS(ALLOC_FAILED, "the resource allocation failed"),
    STATUS(INVALID_VALUE, "an unsupported value or parameter was passed to the function"),
    STATUS(ARCH_MISMATCH, "the function requires an architectural feature absent from the device"),
    STATUS(MAPPING_ERROR, "an access to GPU memory space failed"),
    STATUS(EXECUTION_FAILED, "the function failed to launch on the GPU"),
    STATUS(INTERNAL_ERROR, "an internal operation failed"),
    STATUS(NOT_SUPPORTED, "the functionality is not supported"),
    STATUS(LICENSE_ERROR,
           "the functionality requested requires some license and an error was detected when "
           "trying to check the current licensing"),
};
#undef STATUS

}  // namespace

}  // namespace warplens::blas

using namespace warplens::blas;

extern "C" {

const char* cublasGetStatusName(cublasStatus_t status) {
  for (const StatusRow& row : statuses)
    if (row.status == status) return row.name;
  return "CUBLAS_STATUS_UNKNOWN";
}
const char* cublasGetStatusString(cublasStatus_t status) {
  for (const StatusRow& row : statuses)
    if (row.status == status) return row.text;
  return "unknown error code";
}

}  // extern "C"
