// Measures what the time model needs to know about a real GPU, with the micro-kernels of cuda/calibration. It
// takes a few seconds.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "core/gpu/timing/calibration.h"
#include "core/launch/backend.h"

namespace warplens {

// `tell` is called with the name of each measurement before it starts. Errors: no compiler, a virtual device,
// a launch that failed, or a stop.
Result<Calibration> calibrate(const Device& device, Backend& backend, std::stop_token stop,
                              const std::function<void(const std::string&)>& tell);

}  // namespace warplens
