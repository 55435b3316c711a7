// Small formulas in kernel descriptions: "ceil(n / 256)", "width * height".
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warplens {

using Names = std::map<std::string, double, std::less<>>;

// Evaluates an expression: arithmetic, comparisons, &&, ||, !, ?:, muparser's functions, and ceil, floor and
// ceil_div(a, b). Names may have dots. Syntax errors, unknown names and several values at once are errors
// that quote the expression. The value may be infinite or NaN (1 / 0); the caller decides whether that is an
// error.
Result<double> evaluate(std::string_view expression, const Names& names);
// The values for i = 0, 1, … count − 1. The expression may use the name `i`.
Result<std::vector<double>> evaluate_series(std::string_view expression, const Names& names, uint64_t count);

}  // namespace warplens
