// The tree of an expression. Its nodes stand in the order in which they are computed, operands first, so the
// tree is also the program that the evaluator runs.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/expression/value.h"

namespace warplens::expression {

enum class Op : uint8_t {
  number,
  name,
  element,  // of an array, at the index that is its operand: list[i + 1]
  choose,
  either,
  both,
  bit_or,
  bit_xor,
  bit_and,
  equal,
  unequal,
  less,
  less_equal,
  greater,
  greater_equal,
  shift_left,
  shift_right,
  add,
  subtract,
  multiply,
  divide,
  remainder,
  smaller,
  larger,
  quotient_up,
  negate,
  invert,
  negation,
  absolute,
  as_real,
  call  // a function of doubles
};

constexpr bool is_comparison(Op op) { return op >= Op::equal && op <= Op::greater_equal; }

// A function that expressions can call.
struct Function {
  std::string_view name;
  uint32_t operands;
  Op op;
  double (*of_one)(double) = nullptr;
  double (*of_two)(double, double) = nullptr;
  bool keeps_whole = false;  // has whole numbers as they are, such as floor
};
std::span<const Function> functions();

// How an operator is written, and how tightly it binds its operands: the more, the larger the rank.
struct Operator {
  std::string_view sign;
  int rank;
  Op op;
};
std::span<const Operator> binary_operators();  // the longer signs first
std::span<const Operator> unary_operators();
constexpr int rank_of_choice = 0, rank_of_unary = 11, rank_of_single = 12;

// At most so many values wait for their operators while a tree is computed.
constexpr uint32_t most_waiting = 256;

struct Node {
  Op op = Op::number;
  uint32_t operands = 0;
  uint32_t first = 0;     // of its nodes: those from here on, up to itself
  uint32_t which = 0;     // name, array or function
  Value value = Value{};  // of a number
};

class Tree {
 public:
  uint32_t root() const { return static_cast<uint32_t>(m_nodes.size() - 1); }
  const Node& operator[](uint32_t node) const { return m_nodes[node]; }
  std::span<const Node> nodes() const { return m_nodes; }
  uint32_t operand(uint32_t node, uint32_t number) const;

  // As they were written, each once, with the column of the first use, counted from 1. Arrays are those whose
  // index is computed; list[3] is a name, and so is sum(list).
  struct Name {
    std::string text;
    size_t column = 0;
  };
  const std::vector<Name>& names() const { return m_names; }
  const std::vector<Name>& arrays() const { return m_arrays; }

  // Whether two parts compute the same in the same way.
  bool same(uint32_t a, uint32_t b) const;

 private:
  friend class Parser;
  std::vector<Node> m_nodes;
  std::vector<Name> m_names, m_arrays;
};

}  // namespace warplens::expression
