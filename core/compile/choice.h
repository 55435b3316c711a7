// Which compiler takes CUDA C++: NVIDIA's NVRTC, or clang with headers of our own.
#pragma once

#include <optional>
#include <string_view>

#include "core/compile/compiler.h"

namespace warplens {

// As people write it, in the environment's WARPLENS_COMPILER and after --compiler: "nvrtc", "clang", or
// nothing for what is there.
std::optional<CompilerKind> compiler_named(std::string_view word);

// The word of a kind; empty for what is there.
const char* to_string(CompilerKind kind);

// What the user of this process chose after it began; it comes before the environment, until it is
// what_is_there again. From any thread. A child process does not know it: give it compiler_variable.
void prefer_compiler(CompilerKind kind);
constexpr const char* compiler_variable = "WARPLENS_COMPILER";

// The one that was preferred, else the one that the environment names. An error for other words.
Result<CompilerKind> chosen_compiler();

}  // namespace warplens
