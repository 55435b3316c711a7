// How print() writes names, operands and strings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/ptx/tree.h"

namespace warplens::ptx {

// The names of a function in a single scope. Names of inner scopes that clash with others get a number.
struct PrintedNames {
  PrintedNames(const Module& module, const Function& function);

  std::vector<std::string> registers, variables, labels;
};

std::string operand_text(const Module& module, const Function& function, const PrintedNames& names,
                         const Operand& operand);

// "a \"b\"", as .file writes it.
std::string in_quotes(std::string_view text);

}  // namespace warplens::ptx
