// A program on a real GPU of this machine: NVIDIA's driver, with the library in front of it that notes what
// the program does (relay/).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace warplens::program_run {

// Where the library is: beside the driver for programs. Kind missing where it is not.
Result<std::string> find_relay();

// The file of NVIDIA's driver, as the loader finds it; WARPLENS_CUDA_DRIVER names another one. Kind missing
// where there is none.
Result<std::string> find_nvidia_driver();

// The variables by which a program finds the GPU cuda:`ordinal` alone, as device 0 (CUDA C++ programming
// guide, CUDA_VISIBLE_DEVICES).
std::vector<std::pair<std::string, std::string>> variables_for_gpu(int ordinal, const std::string& driver);

}  // namespace warplens::program_run
