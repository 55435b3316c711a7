// Prints the tree as PTX text.
#pragma once

#include <string>

#include "core/ptx/tree.h"

namespace warplens::ptx {

// The canonical text of a module. Parsing it gives an equal tree, except that kernels come last. The text
// has one scope for each function, so names of inner scopes that would clash get a number. Parsing and
// printing the text again gives the same text.
std::string print(const Module& module);

// One instruction as print() writes it, with its guard: "@%p1 bra $L__BB0_2;".
std::string print_instruction(const Module& module, const Function& function, const Instruction& instruction);

}  // namespace warplens::ptx
