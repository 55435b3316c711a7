// Shared by the tests of PTX.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "core/ptx/parser/parse.h"
#include "tests/paths.h"

namespace warplens::ptx::test {

inline std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

inline std::filesystem::path data(const std::string& name) {
  return test_files::source_dir() / "tests/core/ptx/data" / name;
}

// Real PTX: the built-in kernels and the hand-written samples.
inline std::vector<std::filesystem::path> samples() {
  std::vector<std::filesystem::path> paths;
  const std::filesystem::path root = test_files::source_dir();
  for (const auto& folder : {root / "tests/data/golden/ptx", root / "tests/core/ptx/data"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".ptx") paths.push_back(entry.path());
    }
  }
  return paths;
}

// A module around one body.
inline std::string kernel(const std::string& body) {
  return ".version 8.8\n.target sm_75\n.address_size 64\n.global .b32 g[4];\n"
         ".func (.reg .b32 q) ff (.reg .b32 z) { mov.b32 q, z; ret; }\n"
         ".entry k(.param .u64 pp) {\n"
         ".reg .pred %p<4>; .reg .b16 %h<4>; .reg .u8 %c<4>; .reg .b32 %r<8>; .reg .u32 %u<4>; .reg .s32 "
         "%s<4>; "
         ".reg .f32 %f<4>; .reg .b64 %rd<4>; .reg .f64 %d<4>; .reg .v4 .f32 %v; .reg .f16 %hf<3>; "
         ".shared .b32 sh[4];\n" +
         body + "\nL: ret;\n}\n";
}
inline constexpr uint32_t k_body_line = 8;

}  // namespace warplens::ptx::test
