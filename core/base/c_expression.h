// Expressions as C has them, over numbers with names: "lane == 17 && x > 3", "blockIdx.x * blockDim.x + 5".
// Integers have 64 bits and are exact; what is undefined in C (overflow, a division by zero, a shift by 64)
// has no value.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"

namespace warplens {

using CNumber = std::variant<int64_t, uint64_t, double>;
double as_double(const CNumber& number);
bool is_true(const CNumber& number);

class CExpression {
 public:
  // Numbers (decimal, 0x…, with a fraction), names, + - * / % << >> & | ^ ~ ! && || ?:, comparisons,
  // parentheses, abs, min and max. A name may begin with % or $ and have parts: %tid.x, p->x, list[3]. Errors
  // say the column.
  static Result<CExpression> parse(std::string_view text);

  // As they were written, each once, with the column of the first use, counted from 1.
  const std::vector<std::string>& names() const { return m_names; }
  size_t column_of(size_t name) const { return m_columns[name]; }

  // With a value for each name. Empty if one that is needed is missing.
  std::optional<CNumber> evaluate(std::span<const std::optional<CNumber>> values) const;

  enum class Op : uint8_t {
    number,
    name,
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
    negate,
    invert,
    negation,
    absolute,
    smaller,
    larger
  };
  struct Node {
    Op op = Op::number;
    uint32_t a = 0, b = 0, c = 0;  // operands; of a name: which
    CNumber number = int64_t{0};
  };

 private:
  friend class CExpressionParser;
  std::optional<CNumber> value_of(uint32_t node, std::span<const std::optional<CNumber>> values) const;

  std::vector<std::string> m_names;
  std::vector<size_t> m_columns;
  std::vector<Node> m_nodes;
  uint32_t m_root = 0;
};

}  // namespace warplens
