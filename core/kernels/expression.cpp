#include "core/kernels/expression.h"

#include <fmt/format.h>
#include <muParser.h>

#include <cmath>
#include <exception>
#include <type_traits>

namespace warplens {

namespace {

// The parser makes several copies of the text, so it is limited. No formula needs more than this.
constexpr size_t longest_expression = 1000;

Error wrong(std::string_view expression, std::string_view why) {
  return bad_input(
      fmt::format("The expression \"{}\" cannot be evaluated: {}", expression.substr(0, 80), why));
}

// Constants, not variables: nothing can be assigned to them. Names may have dots, as in "launch.block.x".
void prepare(mu::Parser& parser, std::string_view expression, const Names& names) {
  parser.DefineNameChars("0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.");
  parser.DefineInfixOprt("!", [](double x) { return x == 0 ? 1.0 : 0.0; });
  parser.DefineFun("ceil", [](double x) { return std::ceil(x); });
  parser.DefineFun("floor", [](double x) { return std::floor(x); });
  parser.DefineFun("ceil_div", [](double a, double b) { return std::ceil(a / b); });
  for (const auto& [name, value] : names) parser.DefineConst(name, value);
  parser.SetExpr(std::string(expression));
}

// One value for each i from 0 up.
std::vector<double> series_or_throw(std::string_view expression, const Names& names, uint64_t count,
                                    int& values) {
  mu::Parser parser;
  prepare(parser, expression, names);
  double i = 0;
  parser.DefineVar("i", &i);
  std::vector<double> series(count);
  for (uint64_t at = 0; at < count; ++at) {
    i = static_cast<double>(at);
    series[at] = parser.Eval(values)[0];
  }
  return series;
}

double evaluate_or_throw(std::string_view expression, const Names& names, int& values) {
  mu::Parser parser;
  prepare(parser, expression, names);
  return parser.Eval(values)[0];
}

// The value of a function that takes the number of values and may throw what muparser throws.
template <class Function>
auto guarded(std::string_view expression, Function function) -> Result<std::invoke_result_t<Function, int&>> {
  if (expression.size() > longest_expression)
    return wrong(expression, fmt::format("it is longer than {} characters.", longest_expression));
  try {
    int values = 1;
    auto value = function(values);
    if (values != 1) return wrong(expression, "it has several values, one is needed.");
    return value;
  } catch (const mu::Parser::exception_type& exception) {
    return wrong(expression, exception.GetMsg());
  } catch (const std::exception& exception) {
    return wrong(expression, exception.what());
  }
}

}  // namespace

Result<double> evaluate(std::string_view expression, const Names& names) {
  return guarded(expression, [&](int& values) { return evaluate_or_throw(expression, names, values); });
}

Result<std::vector<double>> evaluate_series(std::string_view expression, const Names& names, uint64_t count) {
  return guarded(expression, [&](int& values) { return series_or_throw(expression, names, count, values); });
}

}  // namespace warplens
