// CUDA's errors as values. The driver's codes have the numbers of the runtime's errors, whose names are what
// the rest of the program and most people use.
#pragma once

#include <string>

#include "core/base/result.h"
#include "cuda/driver/driver.h"

namespace warplens::cuda {

// "cudaErrorIllegalAddress"; the driver's own name where the runtime has none.
std::string runtime_name(const Driver& driver, CUresult code);
// "cudaErrorIllegalAddress (an illegal memory access was encountered)".
std::string describe(const Driver& driver, CUresult code);

// Leaves the context unusable: every later call answers the same, until the context is destroyed.
bool is_sticky(CUresult code);

// "Allocating x, 4096 bytes: cudaErrorMemoryAllocation (out of memory)". Out of memory is of kind failed like
// the rest; what CUDA refuses to load is of kind refused.
Error error_of(const Driver& driver, CUresult code, const std::string& doing);

}  // namespace warplens::cuda
