// Launches, from stubs of nvcc and from the API.
#pragma once

#include "cuda/stand_in/runtime/api.h"

namespace warplens::runtime {

struct LaunchPlan {
  dim3 grid, block;
  size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
  bool cooperative = false;
};

// `function` as resolve_kernel (cuda/stand_in/runtime/state/registry.h) takes it. Errors:
// cudaErrorInvalidConfiguration for a grid or block that no device of this kind runs, else those of the
// driver. They become the thread's last error.
cudaError_t launch(const void* function, const LaunchPlan& plan, void** arguments);

}  // namespace warplens::runtime
