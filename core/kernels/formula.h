// The formulas of kernel descriptions, with their table of names: "ceil(n / 256)", "width * height".
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "core/base/dtype.h"
#include "core/base/result.h"
#include "core/expression/tree.h"

namespace warplens {

// _pi and _e are also there.
using Names = std::map<std::string, expression::Value, std::less<>>;

// A number as the value of a name of this type: whole if the type is.
expression::Value value_of_type(double number, DType type);

// The tree of a formula. Errors quote it.
Result<expression::Tree> parse_formula(std::string_view formula);
// The error of a formula, which quotes it.
Error formula_error(std::string_view formula, std::string_view why);

// Errors are syntax errors and unknown names, and for evaluate() no value (1 / 0). Infinite values and NaN
// (1.0 / 0) are values; the caller decides whether they are errors.
Result<void> check_formula(std::string_view formula, const Names& names);
Result<expression::Value> evaluate(std::string_view formula, const Names& names);
// The values for i = 0, 1, … count − 1, in several parts. The formula may use the name `i`, a whole number.
Result<void> evaluate_series(
    std::string_view formula, const Names& names, uint64_t count,
    const std::function<void(uint64_t first, std::span<const expression::Value>)>& use);

}  // namespace warplens
