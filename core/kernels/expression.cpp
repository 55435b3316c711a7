#include "core/kernels/expression.h"

#include <fmt/format.h>
#include <muParser.h>

#include <cmath>
#include <exception>

namespace warplens {

namespace {

// The parser looks some characters ahead and keeps several copies: no formula needs more than this.
constexpr size_t longest_expression = 1000;

Error wrong(std::string_view expression, std::string_view why) {
  return bad_input(
      fmt::format("The expression \"{}\" cannot be evaluated: {}", expression.substr(0, 80), why));
}

double evaluate_or_throw(std::string_view expression, const Names& names, int& values) {
  mu::Parser parser;
  parser.DefineFun("ceil", [](double x) { return std::ceil(x); });
  parser.DefineFun("floor", [](double x) { return std::floor(x); });
  parser.DefineFun("ceil_div", [](double a, double b) { return std::ceil(a / b); });
  // Constants, not variables: nothing can be assigned to them.
  for (const auto& [name, value] : names) parser.DefineConst(name, value);
  parser.SetExpr(std::string(expression));
  const double* results = parser.Eval(values);
  return results[0];
}

}  // namespace

Result<double> evaluate(std::string_view expression, const Names& names) {
  if (expression.size() > longest_expression)
    return wrong(expression, fmt::format("it is longer than {} characters.", longest_expression));
  try {
    int values = 0;
    const double value = evaluate_or_throw(expression, names, values);
    if (values != 1) return wrong(expression, "it has several values, one is needed.");
    return value;
  } catch (const mu::Parser::exception_type& exception) {
    return wrong(expression, exception.GetMsg());
  } catch (const std::exception& exception) {
    return wrong(expression, exception.what());
  }
}

}  // namespace warplens
