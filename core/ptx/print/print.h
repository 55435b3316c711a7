// Tree → PTX text.
#pragma once

#include <string>

#include "core/ptx/tree.h"

namespace warplens::ptx {

// The canonical text of a module; parsing it again gives an equal tree, apart from the order of the functions
// (kernels last). Names of inner scopes that would clash in the function's one scope get a number: print is
// the identity on its own output.
std::string print(const Module& module);

// One instruction as print writes it, guard and all: "@%p1 bra $L__BB0_2;".
std::string print_instruction(const Module& module, const Function& function, const Instruction& instruction);

}  // namespace warplens::ptx
