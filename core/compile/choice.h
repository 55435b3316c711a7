// Which compiler is used for CUDA C++: NVIDIA's NVRTC, or clang with our own headers.
#pragma once

#include <optional>
#include <string_view>

#include "core/compile/compiler.h"

namespace warplens {

// The name that users write in the environment variable WARPLENS_COMPILER and after --compiler: "nvrtc",
// "clang", or nothing for the one that is installed.
std::optional<CompilerKind> compiler_named(std::string_view word);

// The name of a kind; empty for what_is_there.
const char* to_string(CompilerKind kind);

// Sets the compiler that the user chose at run time. It overrides the environment until it is set to
// what_is_there again. May be called from any thread. A child process does not inherit it: pass
// compiler_variable.
void prefer_compiler(CompilerKind kind);
constexpr const char* compiler_variable = "WARPLENS_COMPILER";

// The preferred compiler, else the one that the environment names. Any other name is an error.
Result<CompilerKind> chosen_compiler();

}  // namespace warplens
