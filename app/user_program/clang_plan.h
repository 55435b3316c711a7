// A command line of nvcc where clang compiles: the commands that run instead of it, without a file of
// NVIDIA's (docs/adr/0090-programs-by-clang.md). An option that clang has not is refused by its name.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/user_program/nvcc_plan.h"

namespace warplens::nvcc {

struct ClangTools {
  std::string clang;                      // its path
  uint32_t major = 0;                     // its version
  std::string version;                    // "14.0.6"
  std::vector<std::string> device_words;  // of the device: core/compile/clang.h
  std::string headers;                    // the folder of our headers
  std::string libraries;                  // the folder in which links find -lcudart
  uint32_t capability = 86;               // of the device, as 86 for 8.6
  std::string scratch;                    // a folder for objects in between; it exists when steps run
  // Whether a folder of -I has NVIDIA's headers: it is left out.
  std::function<bool(const std::string& folder)> is_toolkit;
};

// `words` without the name of the compiler. Errors: options that clang has not, response files that cannot be
// read or contain themselves.
Result<Plan> clang_plan(const std::vector<std::string>& words, const ClangTools& tools, const ReadText& read);

}  // namespace warplens::nvcc
