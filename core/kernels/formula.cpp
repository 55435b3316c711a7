#include "core/kernels/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "core/expression/evaluate.h"
#include "core/expression/parse.h"
#include "core/kernels/fill.h"

namespace warplens {

using expression::Value;

namespace {

constexpr const char* no_value =
    "it divides by zero, takes bits of a number with a fraction, or a number in it is too large.";

// The value of each name of the tree.
Result<std::vector<Value>> values_of(std::string_view formula, const expression::Tree& tree,
                                     const Names& names) {
  if (!tree.arrays().empty())
    return formula_error(formula, fmt::format("column {}: {} has no elements here.", tree.arrays()[0].column,
                                              tree.arrays()[0].text));
  std::vector<Value> values;
  for (const auto& [name, column] : tree.names()) {
    if (const auto known = names.find(name); known != names.end()) {
      values.push_back(known->second);
    } else if (name == "_pi" || name == "_e") {
      values.emplace_back(name == "_pi" ? std::numbers::pi : std::numbers::e);
    } else {
      return formula_error(formula, fmt::format("column {}: there is nothing called {}.", column, name));
    }
  }
  return values;
}

}  // namespace

Value value_of_type(double number, DType type) {
  if (is_float(type)) return number;
  const uint64_t bits = encode_scalar(number, type);
  return number < 0 ? Value(static_cast<int64_t>(bits)) : Value(bits);
}

Error formula_error(std::string_view formula, std::string_view why) {
  return bad_input(fmt::format("The expression \"{}\" cannot be evaluated: {}", formula.substr(0, 80), why));
}

Result<expression::Tree> parse_formula(std::string_view formula) {
  Result<expression::Tree> tree = expression::parse(formula);
  if (!tree) return formula_error(formula, tree.error().message);
  return tree;
}

Result<void> check_formula(std::string_view formula, const Names& names) {
  const Result<expression::Tree> tree = parse_formula(formula);
  if (!tree) return tree.error();
  if (const auto values = values_of(formula, *tree, names); !values) return values.error();
  return {};
}

Result<Value> evaluate(std::string_view formula, const Names& names) {
  const Result<expression::Tree> tree = parse_formula(formula);
  if (!tree) return tree.error();
  const Result<std::vector<Value>> values = values_of(formula, *tree, names);
  if (!values) return values.error();
  const Value value = expression::evaluate(*tree, *values);
  if (!value.is_known()) return formula_error(formula, no_value);
  return value;
}

Result<void> evaluate_series(std::string_view formula, const Names& names, uint64_t count,
                             const std::function<void(uint64_t first, std::span<const Value>)>& use) {
  constexpr uint64_t most_lanes = 64;
  Names all = names;
  all["i"] = 0;
  const Result<expression::Tree> tree = parse_formula(formula);
  if (!tree) return tree.error();
  const Result<std::vector<Value>> values = values_of(formula, *tree, all);
  if (!values) return values.error();
  std::vector<Value> lanes;
  for (const Value value : *values) lanes.insert(lanes.end(), most_lanes, value);
  const auto index = std::ranges::find(tree->names(), "i", &expression::Tree::Name::text);
  for (uint64_t first = 0; first < count; first += most_lanes) {
    if (index != tree->names().end())
      for (uint64_t lane = 0; lane < most_lanes; ++lane)
        lanes[static_cast<uint64_t>(index - tree->names().begin()) * most_lanes + lane] = first + lane;
    std::vector<Value> part = expression::evaluate_lanes(*tree, lanes, most_lanes);
    part.resize(std::min(most_lanes, count - first));
    const auto missing = std::ranges::find_if_not(part, &Value::is_known);
    if (missing != part.end())
      return formula_error(formula,
                           fmt::format("for i = {}, {}", first + (missing - part.begin()), no_value));
    use(first, part);
  }
  return {};
}

}  // namespace warplens
