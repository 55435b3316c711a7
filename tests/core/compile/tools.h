// Helps tests that need CUDA's libraries: they are skipped with a message if these are missing.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "core/compile/compiler.h"
#include "tests/paths.h"

namespace warplens {

inline std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::string kernel_source(const std::string& name) {
  return file_text(test_files::source_dir().string() + "/cuda/kernels/" + name + ".cu");
}
inline std::string golden_ptx(const std::string& name) {
  return file_text(test_files::source_dir().string() + "/tests/data/golden/ptx/" + name + ".ptx");
}

// Whether the assemblers of this machine support the oldest device and the newest. The toolkit of CUDA 13
// does not support the old ones; tools/setup installs an assembler for them.
inline bool assembles_for_all() {
  const std::string ptx = golden_ptx("vector_add");
  return resources_of(ptx, "vector_add", {5, 0}) && resources_of(ptx, "vector_add", {12, 0});
}

}  // namespace warplens
