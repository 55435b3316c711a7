// Which of NVIDIA's tools this machine has, for users that ask what is missing.
#pragma once

#include <string>

#include "core/base/result.h"

namespace warplens {

struct FoundTool {
  std::string version;  // "12.9"
  std::string path;
};

// Each loads the library or runs the program. An error is of kind missing; it says what still works and what
// to do.
Result<FoundTool> find_compiler();         // NVRTC
Result<FoundTool> find_assembler();        // ptxas for sm_75 and later
Result<FoundTool> find_older_assembler();  // ptxas that knows older devices too

}  // namespace warplens
