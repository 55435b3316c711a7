#include "core/expression/tree.h"

#include <algorithm>
#include <cmath>

namespace warplens::expression {

namespace {

constexpr Operator binaries[] = {
    {"||", 1, Op::either},     {"&&", 2, Op::both},        {"==", 6, Op::equal},
    {"!=", 6, Op::unequal},    {"<=", 7, Op::less_equal},  {">=", 7, Op::greater_equal},
    {"<<", 8, Op::shift_left}, {">>", 8, Op::shift_right}, {"|", 3, Op::bit_or},
    {"^", 4, Op::bit_xor},     {"&", 5, Op::bit_and},      {"<", 7, Op::less},
    {">", 7, Op::greater},     {"+", 9, Op::add},          {"-", 9, Op::subtract},
    {"*", 10, Op::multiply},   {"/", 10, Op::divide},      {"%", 10, Op::remainder},
};
constexpr Operator unaries[] = {
    {"-", rank_of_unary, Op::negate}, {"~", rank_of_unary, Op::invert}, {"!", rank_of_unary, Op::negation}};

constexpr Function function_rows[] = {
    {"abs", 1, Op::absolute},
    {"min", 2, Op::smaller},
    {"max", 2, Op::larger},
    {"ceil_div", 2, Op::quotient_up},
    {"double", 1, Op::as_real},
    {"ceil", 1, Op::call, [](double x) { return std::ceil(x); }, nullptr, true},
    {"floor", 1, Op::call, [](double x) { return std::floor(x); }, nullptr, true},
    {"rint", 1, Op::call, [](double x) { return std::rint(x); }, nullptr, true},
    {"sign", 1, Op::call, [](double x) { return x < 0   ? -1.0
                                                : x > 0 ? 1.0
                                                        : 0.0; }},
    {"sqrt", 1, Op::call, [](double x) { return std::sqrt(x); }},
    {"exp", 1, Op::call, [](double x) { return std::exp(x); }},
    {"log", 1, Op::call, [](double x) { return std::log(x); }},
    {"ln", 1, Op::call, [](double x) { return std::log(x); }},
    {"log2", 1, Op::call, [](double x) { return std::log2(x); }},
    {"log10", 1, Op::call, [](double x) { return std::log10(x); }},
    {"sin", 1, Op::call, [](double x) { return std::sin(x); }},
    {"cos", 1, Op::call, [](double x) { return std::cos(x); }},
    {"tan", 1, Op::call, [](double x) { return std::tan(x); }},
    {"asin", 1, Op::call, [](double x) { return std::asin(x); }},
    {"acos", 1, Op::call, [](double x) { return std::acos(x); }},
    {"atan", 1, Op::call, [](double x) { return std::atan(x); }},
    {"sinh", 1, Op::call, [](double x) { return std::sinh(x); }},
    {"cosh", 1, Op::call, [](double x) { return std::cosh(x); }},
    {"tanh", 1, Op::call, [](double x) { return std::tanh(x); }},
    {"asinh", 1, Op::call, [](double x) { return std::asinh(x); }},
    {"acosh", 1, Op::call, [](double x) { return std::acosh(x); }},
    {"atanh", 1, Op::call, [](double x) { return std::atanh(x); }},
    {"atan2", 2, Op::call, nullptr, [](double y, double x) { return std::atan2(y, x); }},
    {"pow", 2, Op::call, nullptr, [](double x, double y) { return std::pow(x, y); }},
};

}  // namespace

std::span<const Function> functions() { return function_rows; }
std::span<const Operator> binary_operators() { return binaries; }
std::span<const Operator> unary_operators() { return unaries; }

uint32_t Tree::operand(uint32_t node, uint32_t number) const {
  uint32_t at = node - 1;
  for (uint32_t last = m_nodes[node].operands - 1; last > number; --last) at = m_nodes[at].first - 1;
  return at;
}

bool Tree::same(uint32_t a, uint32_t b) const {
  const uint32_t count = a - m_nodes[a].first;
  if (b - m_nodes[b].first != count) return false;
  for (uint32_t i = 0; i <= count; ++i) {
    const Node &x = m_nodes[a - i], &y = m_nodes[b - i];
    if (x.op != y.op || x.which != y.which || x.value != y.value) return false;
  }
  return true;
}

}  // namespace warplens::expression
