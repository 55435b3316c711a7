// CUDA's errors as values. The driver's codes have the same numbers as the runtime's errors. The rest of the
// program, and most people, use the runtime's names.
#pragma once

#include <string>

#include "core/base/result.h"
#include "cuda/device/driver/driver.h"

namespace warplens::cuda {

// "cudaErrorIllegalAddress". The driver's own name if the runtime has none.
std::string runtime_name(const Driver& driver, CUresult code);
// "cudaErrorIllegalAddress (an illegal memory access was encountered)".
std::string describe(const Driver& driver, CUresult code);

// Whether the error makes the context unusable: every later call gives the same error until the context is
// destroyed.
bool is_sticky(CUresult code);

// "Allocating x, 4096 bytes: cudaErrorMemoryAllocation (out of memory)". Errors are of kind failed, except
// that code which CUDA refuses to load is of kind refused.
Error error_of(const Driver& driver, CUresult code, const std::string& doing);

}  // namespace warplens::cuda
