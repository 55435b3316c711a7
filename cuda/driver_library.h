// What the driver's library is called on this operating system.
#pragma once

#include <string>
#include <vector>

namespace warplens::cuda {

std::vector<std::string> driver_library_names();
std::vector<std::string> nvml_library_names();

}  // namespace warplens::cuda
