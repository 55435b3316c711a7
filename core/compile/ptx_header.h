// The directives at the head of a PTX text that decide which linkers and devices accept it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warplens {

struct PtxHeader {
  uint32_t isa_major = 0, isa_minor = 0;  // .version 8.8
  uint32_t target = 0;                    // .target sm_90a → 90
  std::string target_suffix;  // "a": this architecture only; "f": its family; "": it and newer ones
};

// Empty if .version or .target is missing or malformed.
std::optional<PtxHeader> read_ptx_header(std::string_view ptx);

// The compiler that made the PTX, by the comment at its head: "clang 19.1.7", "NVIDIA's compiler 12.9"
// (NVRTC, nvcc or Numba), "LLVM"; empty if it does not say.
std::string compiler_of(std::string_view ptx);
// Adds the comment that compiler_of() reads, since LLVM's own comment has no version.
std::string with_compiler(std::string ptx, std::string_view compiler);

// Compilers put the working folder before the source's name in `.file 1 "/folder/add.cu"`. Without it, PTX
// does not depend on where it was made.
std::string with_plain_file_name(std::string ptx, const std::string& name);

}  // namespace warplens
