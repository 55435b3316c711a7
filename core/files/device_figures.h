// What the rules for whole programs ask of a device.
#pragma once

#include <string_view>

#include "core/recording/program_warnings.h"

namespace warplens {

// By its id. A device that is not known has no figures.
recording::DeviceFigures figures_of_device(std::string_view id);

}  // namespace warplens
