// Where NVIDIA's compiler is, and what it compiles for.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"

namespace warplens::nvcc {

// Paths of nvcc to try: $WARPLENS_NVCC, those of PATH, of toolkits, of wheels in the Python environment, and
// what `warplens fetch nvcc` brought. Kind missing, with what to do, where there is none.
Result<std::string> find_nvcc();
// The major version of the runtime library that its headers are for: 12 or 13; 13 where that is not known.
int runtime_major(const std::string& nvcc);

// The compute capability that this nvcc compiles for where a device has `capability` (61 for 6.1): that of
// the device; where nvcc does not know it, the next older one that it knows, or else its oldest.
uint32_t target_of(const std::string& nvcc, uint32_t capability);

}  // namespace warplens::nvcc
