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

}  // namespace warplens::ptx
