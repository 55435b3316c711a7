// The file names of NVIDIA's libraries on this operating system.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplens::cuda {

std::vector<std::string> driver_library_names();
std::vector<std::string> nvml_library_names();
// The file name of, for example, "cublas" with major version 12.
std::string toolkit_library_name(std::string_view library, int major);

}  // namespace warplens::cuda
