// A kernel that ended with a fault: CUDA's code for it, and the sentence for people.
#pragma once

#include <cstddef>
#include <vector>

#include "core/gpu/exec/grid.h"
#include "driver/state/gpu.h"

namespace warplens::driver {

// `parameters` are the launch's: they tell which of its arrays was meant.
CUresult tell_fault(Gpu& device, const Function& function, const exec::GridOutcome& outcome, Dim3 block,
                    const std::vector<std::byte>& parameters);

}  // namespace warplens::driver
