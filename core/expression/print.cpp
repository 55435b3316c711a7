#include "core/expression/print.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens::expression {

namespace {

struct Printed {
  std::string text;
  int rank = rank_of_single;
};

const Operator* operator_of(std::span<const Operator> rows, Op op) {
  const auto row = std::ranges::find(rows, op, &Operator::op);
  return row == rows.end() ? nullptr : &*row;
}

class Printer {
 public:
  Printer(const Tree& tree, const std::function<std::string(const std::string&)>& named)
      : m_tree(tree), m_named(named) {}

  Printed part(uint32_t node) const {
    const Node& at = m_tree[node];
    if (at.op == Op::number) return {text_of(at.value)};
    if (at.op == Op::name) return {name(m_tree.names()[at.which].text)};
    if (at.op == Op::element)
      return {fmt::format("{}[{}]", name(m_tree.arrays()[at.which].text), operand(node, 0, 0))};
    if (at.op == Op::choose)
      return {fmt::format("{} ? {} : {}", operand(node, 0, rank_of_choice + 1), operand(node, 1, 0),
                          operand(node, 2, 0)),
              rank_of_choice};
    if (const Operator* row = operator_of(binary_operators(), at.op))
      return {
          fmt::format("{} {} {}", operand(node, 0, row->rank), row->sign, operand(node, 1, row->rank + 1)),
          row->rank};
    if (const Operator* row = operator_of(unary_operators(), at.op)) {
      std::string of = operand(node, 0, row->rank);
      if (of.starts_with(row->sign)) of = "(" + of + ")";  // not --x
      return {std::string(row->sign) + of, row->rank};
    }
    return {call(node)};
  }

 private:
  std::string operand(uint32_t node, uint32_t number, int least_rank) const {
    Printed of = part(m_tree.operand(node, number));
    return of.rank < least_rank ? "(" + of.text + ")" : of.text;
  }

  std::string call(uint32_t node) const {
    const Node& at = m_tree[node];
    const auto function = at.op == Op::call ? functions().begin() + at.which
                                            : std::ranges::find(functions(), at.op, &Function::op);
    std::string text = fmt::format("{}({}", function->name, operand(node, 0, 0));
    for (uint32_t i = 1; i < at.operands; ++i) text += ", " + operand(node, i, 0);
    return text + ")";
  }

  std::string name(const std::string& text) const { return m_named ? m_named(text) : text; }

  const Tree& m_tree;
  const std::function<std::string(const std::string&)>& m_named;
};

}  // namespace

std::string print(const Tree& tree, const std::function<std::string(const std::string&)>& named) {
  return Printer(tree, named).part(tree.root()).text;
}

}  // namespace warplens::expression
