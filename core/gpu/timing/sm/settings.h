// What the model of an SM needs to know of a launch beyond what its blocks execute.
#pragma once

#include "core/gpu/timing/sm/simulate.h"
#include "core/gpu/timing/time_model.h"

namespace warplens::sm {

// The occupancy of the work must be known.
Settings settings_of(const Device& device, const KernelWork& work, const Calibration& calibration);

}  // namespace warplens::sm
