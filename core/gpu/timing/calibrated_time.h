// The time model for a device that was measured. kernel_time() calls it if there is a calibration.
#pragma once

#include "core/gpu/timing/calibration.h"
#include "core/gpu/timing/time_model.h"

namespace warplens {

// The caller must have checked that everything it needs is known.
KernelTime calibrated_time(const Device& device, const KernelWork& work, const Calibration& calibration);

}  // namespace warplens
