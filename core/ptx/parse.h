// PTX text → tree. All errors of a text are collected, each with its line; a text with errors gives no
// module.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/ptx/tree.h"

namespace warplens::ptx {

struct ParseResult {
  std::shared_ptr<const Module> module;  // null where there are errors
  std::vector<Diagnostic> diagnostics;
};

// Lexes, parses and validates (operand counts and types against opcodes.def, labels, symbols, duplicate
// names). `name` is what messages call the text.
ParseResult parse(std::string text, std::string name);

// The canonical text of a module; parsing it again gives an equal tree, apart from the order of the functions
// (kernels last). Names of inner scopes that would clash in the function's one scope get a number: print is
// the identity on its own output.
std::string print(const Module& module);

// One instruction as print writes it, guard and all: "@%p1 bra $L__BB0_2;".
std::string print_instruction(const Module& module, const Function& function, const Instruction& instruction);

}  // namespace warplens::ptx
