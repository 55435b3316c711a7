// Reads an expression: "lane == 17 && x > 3", "blockIdx.x * blockDim.x + 5", "ceil_div(n, 256)".
#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/expression/tree.h"

namespace warplens::expression {

constexpr size_t longest_expression = 4000;

// Numbers (decimal, 0x…, with a fraction), true and false, names, C's operators without assignments,
// parentheses, and calls of functions(). A name may begin with % or $ and have parts: %tid.x, p->x, list[3],
// answer.2. Errors say the column.
//
// Between whole numbers, ceil(a / b) is ceil_div(a, b): in C the quotient would have been rounded down
// before.
Result<Tree> parse(std::string_view text);

}  // namespace warplens::expression
