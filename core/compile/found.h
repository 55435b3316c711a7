// Which of NVIDIA's tools this machine has, for people who ask what is missing.
#pragma once

#include <string>

#include "core/base/result.h"

namespace warplens {

struct FoundTool {
  std::string version;  // "12.9"
  std::string path;
};

// Each loads the library. The error is of kind missing; it says where was looked and what to do.
Result<FoundTool> find_compiler();   // NVRTC
Result<FoundTool> find_assembler();  // what tells registers and makes machine code

}  // namespace warplens
