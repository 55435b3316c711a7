// A kernel that ended with a fault: CUDA's code for it, and the sentence for people.
#pragma once

#include "core/gpu/exec/grid.h"
#include "driver/state/gpu.h"

namespace warplens::driver {

CUresult tell_fault(Gpu& device, const Function& function, const exec::GridOutcome& outcome, Dim3 block);

}  // namespace warplens::driver
