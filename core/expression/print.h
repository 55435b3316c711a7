// An expression as text again, with the brackets that it needs and no others: "(a + b) * 2".
#pragma once

#include <functional>
#include <string>

#include "core/expression/tree.h"

namespace warplens::expression {

// `named` gives the text that stands for a name or an array, such as its value; without it, the name stands.
std::string print(const Tree& tree, const std::function<std::string(const std::string&)>& named = {});

}  // namespace warplens::expression
