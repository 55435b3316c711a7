// Checks and parameters of a launch before it runs, also for nodes of graphs.
#pragma once

#include <cstddef>
#include <vector>

#include "core/base/dim3.h"
#include "cuda/stand_in/driver/state/gpu.h"

namespace warplens::driver {

struct Shape {
  Dim3 grid, block;
  uint32_t shared_bytes = 0;
  bool cooperative = false;
};

// Whether CUDA would accept the launch; if not, the reason was reported.
CUresult check_shape(Gpu& device, Function& function, const Shape& shape);
// The parameters as one buffer, each at its offset.
CUresult gather(const Function& function, void** each, void** extra, std::vector<std::byte>& bytes);
// Clusters of more than one block are refused, and that is reported.
CUresult check_attribute(Gpu& device, const CUlaunchAttribute& attribute);

}  // namespace warplens::driver
