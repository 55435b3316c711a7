#include "cuda/stand_in/libraries/nccl/errors.h"

#include "cuda/stand_in/libraries/shared/work.h"

namespace warplens::nccl {

namespace {

thread_local std::string last_error;

constexpr const char* texts[] = {"no error",
                                 "a CUDA function failed",
                                 "a call to the system failed",
                                 "an internal check failed",
                                 "an argument has an invalid value",
                                 "the call is not right in this place",
                                 "another rank failed",
                                 "the operation is in progress"};

}  // namespace

ncclResult_t code_of(CUresult error) {
  if (error == CUDA_SUCCESS) return ncclSuccess;
  const char* name = nullptr;
  cuGetErrorName(error, &name);
  last_error = std::string("A CUDA function returned ") + (name != nullptr ? name : "an unknown code") + ".";
  return ncclUnhandledCudaError;
}

ncclResult_t refuse(ncclResult_t code, const std::string& sentence) {
  last_error = sentence;
  libraries::ensure_context();  // the driver notes nothing before it has begun
  if (warplens_tell != nullptr) warplens_tell("call", CUDA_ERROR_INVALID_VALUE, sentence.c_str());
  return code;
}

}  // namespace warplens::nccl

extern "C" {

const char* ncclGetErrorString(ncclResult_t result) {
  return result >= 0 && result < ncclNumResults ? warplens::nccl::texts[result] : "unknown result code";
}

const char* ncclGetLastError(ncclComm_t) { return warplens::nccl::last_error.c_str(); }

}  // extern "C"
