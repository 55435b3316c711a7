// Handles and what is set in them.
#include "cuda/stand_in/libraries/solver/handle.h"

#include "cuda/stand_in/libraries/solver/version.h"

namespace warplens::solver {

cusolverStatus_t status_of(CUresult code) {
  switch (code) {
    case CUDA_SUCCESS:
      return CUSOLVER_STATUS_SUCCESS;
    case CUDA_ERROR_NOT_INITIALIZED:
    case CUDA_ERROR_NO_DEVICE:
    case CUDA_ERROR_INVALID_DEVICE:
      return CUSOLVER_STATUS_NOT_INITIALIZED;
    case CUDA_ERROR_OUT_OF_MEMORY:
      return CUSOLVER_STATUS_ALLOC_FAILED;
    case CUDA_ERROR_NOT_SUPPORTED:
      return CUSOLVER_STATUS_NOT_SUPPORTED;
    default:
      return CUSOLVER_STATUS_EXECUTION_FAILED;
  }
}

}  // namespace warplens::solver

using namespace warplens::solver;

extern "C" {

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle) {
  if (handle == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  if (const CUresult error = warplens::libraries::ensure_context(); error != CUDA_SUCCESS)
    return status_of(error);
  *handle = new (std::nothrow) cusolverDnContext;
  return *handle == nullptr ? CUSOLVER_STATUS_ALLOC_FAILED : CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
  delete handle;
  return handle == nullptr ? CUSOLVER_STATUS_NOT_INITIALIZED : CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
  if (handle == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t* stream) {
  if (handle == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (stream == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  *stream = handle->stream;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverGetVersion(int* version) {
  if (version == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  *version = library_version;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  switch (type) {
    case MAJOR_VERSION:
      *value = library_version / 1000;
      return CUSOLVER_STATUS_SUCCESS;
    case MINOR_VERSION:
      *value = library_version / 100 % 10;
      return CUSOLVER_STATUS_SUCCESS;
    case PATCH_LEVEL:
      *value = library_version % 100;
      return CUSOLVER_STATUS_SUCCESS;
  }
  return CUSOLVER_STATUS_INVALID_VALUE;
}

}  // extern "C"
