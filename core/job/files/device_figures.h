// The figures of a device that the rules for whole programs need.
#pragma once

#include <string_view>

#include "core/recording/program_warnings.h"

namespace warplens {

// Finds the device by its id. An unknown device has no figures.
recording::DeviceFigures figures_of_device(std::string_view id);

}  // namespace warplens
