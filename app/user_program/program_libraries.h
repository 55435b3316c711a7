// The libraries that programs link and load: our runtime library, cuBLAS and others, under NVIDIA's names.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace warplens::nvcc {

// Quotes a word for a shell script.
std::string quoted(const std::string& word);

// The path next to the driver; the file may not exist.
std::filesystem::path runtime_library(const std::filesystem::path& driver, int major);

// A script that wraps the linker, which gcc and clang find by COMPILER_PATH: `folder` is the first in which
// it looks for libraries.
std::string linker_script(const std::string& linker, const std::string& folder);

// Files in `folder` that links find as -lcudart, -lcublas and so on, of the versions that come with CUDA
// `major`. Errors: they cannot be written.
Result<void> add_link_files(const std::filesystem::path& folder, const std::string& driver, int major);

// Puts all libraries that a program may load by name into a folder that the loader searches first. A name
// without a version, as scikit-cuda loads it, is the library that comes with CUDA `major`.
void link_libraries(const std::filesystem::path& driver, const std::filesystem::path& to, int major);

struct IncludedLibrary {
  const char *header, *name;  // "cublas_v2.h", "cublas"
  std::string file() const { return std::string("lib") + name + ".so"; }
  std::string option() const { return std::string("-l") + name; }
};
// The libraries whose headers a text in CUDA C++ includes itself.
std::vector<IncludedLibrary> libraries_of(const std::string& text);

}  // namespace warplens::nvcc
