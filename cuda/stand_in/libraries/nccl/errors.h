// NCCL's codes, each with a sentence.
#pragma once

#include <string>

#include "cuda/stand_in/libraries/nccl/types.h"

namespace warplens::nccl {

ncclResult_t code_of(CUresult error);
// Says the sentence, keeps it for ncclGetLastError, and returns the code.
ncclResult_t refuse(ncclResult_t code, const std::string& sentence);

inline ncclResult_t null_argument(const char* function, const char* argument) {
  return refuse(ncclInvalidArgument, std::string(function) + ": " + argument + " is null.");
}

}  // namespace warplens::nccl
