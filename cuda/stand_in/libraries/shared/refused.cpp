#include "cuda/stand_in/libraries/shared/refused.h"

#include <string>

#include "cuda/stand_in/libraries/shared/work.h"

extern "C" int warplens_refuse_library(const char* name) {
  const warplens_library& library = warplens_this_library;
  warplens::libraries::ensure_context();  // the driver notes nothing before it has begun
  if (warplens_tell != nullptr)
    warplens_tell(
        "missing", CUDA_ERROR_NOT_SUPPORTED,
        (std::string(name) + " of " + library.what + " is not provided. " + library.instead).c_str());
  return library.not_supported;
}
