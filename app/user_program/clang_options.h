// nvcc's options in clang's words.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/user_program/nvcc_words.h"
#include "core/base/result.h"

namespace warplens::nvcc {

struct ClangWords {
  std::vector<std::string> device, host;  // of the two passes over a text in CUDA C++; host: of C and C++ too
  std::vector<std::string> link, archive;
  std::vector<std::string> notes;  // for people: what is left out, and why
  std::string language;            // -x
  std::string folder;              // --output-directory
};

// The options without inputs, the output and phases. `is_toolkit`: whether a folder has NVIDIA's headers.
// Errors: an option that clang has not, by its name.
Result<ClangWords> clang_words(const Command& command,
                               const std::function<bool(const std::string&)>& is_toolkit);

}  // namespace warplens::nvcc
