#include "cuda/stand_in/libraries/shared/work.h"

namespace warplens::libraries {

CUresult ensure_context() {
  static const CUresult started = cuInit(0);
  if (started != CUDA_SUCCESS) return started;
  if (warplens_run_library == nullptr) return CUDA_ERROR_NOT_SUPPORTED;
  CUcontext current = nullptr;
  CUresult error = cuCtxGetCurrent(&current);
  if (error != CUDA_SUCCESS || current != nullptr) return error;
  error = cuDevicePrimaryCtxRetain(&current, 0);
  return error == CUDA_SUCCESS ? cuCtxSetCurrent(current) : error;
}

std::string shape_of(std::initializer_list<int64_t> extents) {
  std::string text;
  for (const int64_t extent : extents) text += (text.empty() ? "" : " × ") + std::to_string(extent);
  return text;
}

}  // namespace warplens::libraries
