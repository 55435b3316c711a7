// What a program runs on: a virtual GPU, or a real one of this machine.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/device/device.h"

namespace warplens::program_run {

struct ExecutionTarget {
  std::string driver;  // the library that the program finds as libcuda.so.1
  Device device;       // virtual; for a real GPU, the one that matches it (twin_of)
  std::vector<std::pair<std::string, std::string>> gpu_variables;  // Choices::gpu_variables
};

// Kind missing where a library is not found.
Result<ExecutionTarget> execution_target(const Device& chosen);

}  // namespace warplens::program_run
