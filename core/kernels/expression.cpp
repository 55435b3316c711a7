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

// Making a parser takes ten times as long as evaluating most formulas, so each thread keeps one.
class KeptParser : public mu::Parser {
 public:
  KeptParser() : m_own_constants(GetConst()) {
    DefineInfixOprt("!", [](double x) { return x == 0 ? 1.0 : 0.0; });
    DefineFun("ceil", [](double x) { return std::ceil(x); });
    DefineFun("floor", [](double x) { return std::floor(x); });
    DefineFun("ceil_div", [](double a, double b) { return std::ceil(a / b); });
    // Names may have dots, as in "launch.block.x".
    DefineNameChars("0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.");
  }
  // Everything from the previous expression is cleared.
  void read(std::string_view expression, const Names& names) {
    ClearVar();
    ClearConst();
    for (const auto& [name, value] : m_own_constants) DefineConst(name, value);
    // Constants, not variables: nothing can be assigned to them.
    for (const auto& [name, value] : names) DefineConst(name, value);
    SetExpr(std::string(expression));
  }

 private:
  const mu::valmap_type m_own_constants;
};

KeptParser& parser_for(std::string_view expression, const Names& names) {
  thread_local KeptParser parser;
  parser.read(expression, names);
  return parser;
}

// One value for each i from 0 up.
std::vector<double> series_or_throw(std::string_view expression, const Names& names, uint64_t count,
                                    int& values) {
  KeptParser& parser = parser_for(expression, names);
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
  return parser_for(expression, names).Eval(values)[0];
}

// Calls a function that takes the number of values and may throw muparser's exceptions.
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
