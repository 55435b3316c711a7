// A program on a real GPU of this machine: NVIDIA's driver, with the library that wraps it and notes what the
// program does (relay/).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace warplens::program_run {

// Where the library is: next to the driver for programs. An error of kind missing if it is not there.
Result<std::string> find_relay();

// The file of NVIDIA's driver, as the loader finds it; WARPLENS_CUDA_DRIVER names another one. Kind missing
// where there is none.
Result<std::string> find_nvidia_driver();

// The variables by which a program finds only the GPU cuda:`ordinal`, as device 0 (CUDA C++ programming
// guide, CUDA_VISIBLE_DEVICES).
std::vector<std::pair<std::string, std::string>> variables_for_gpu(int ordinal, const std::string& driver);

}  // namespace warplens::program_run
