// Parses PTX text into a tree. All errors of the text are collected, each with its line. A text with errors
// gives no module.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/ptx/tree.h"

namespace warplens::ptx {

struct ParseResult {
  std::shared_ptr<const Module> module;  // null if there are errors
  std::vector<Diagnostic> diagnostics;
};

// Lexes, parses and validates (operand counts and types against opcodes.def, labels, symbols, duplicate
// names). Messages call the text by `name`.
ParseResult parse(std::string text, std::string name);

}  // namespace warplens::ptx
