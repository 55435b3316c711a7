// What a page of a browser says in place of opening a file that needs what a page lacks: programs, a
// compiler.
#pragma once

#include <string>

#include "app/state/actions.h"

namespace warplens {

struct AppState;

// For a program, or an answer that is one.
Notify no_program_in_a_page(const AppState& state, const std::string& path);
// For a kernel in CUDA C++, in a page without a compiler.
Notify no_kernel_in_a_page(const AppState& state, const std::string& path);

}  // namespace warplens
