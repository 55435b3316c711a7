// Which compiler makes programs of CUDA C++: NVIDIA's nvcc, or clang with headers of our own.
#pragma once

#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/compile/clang.h"

namespace warplens::nvcc {

struct ProgramCompiler {
  std::string nvcc;            // its path; empty: clang
  std::optional<Clang> clang;  // where nvcc is empty
  // Its identity, for caches and for people.
  std::string name() const { return clang ? clang->path + " " + clang->version : nvcc; }
  // The major version of CUDA for which programs are compiled: 12 or 13.
  int runtime_major() const;
};

// nvcc, and clang where nvcc is not there, or the one that WARPLENS_COMPILER names (nvrtc means NVIDIA's).
// Kind missing, with what to do, where there is none.
Result<ProgramCompiler> find_program_compiler();

}  // namespace warplens::nvcc
