// The parts of a condition, to be put into words. muParser computes values and keeps no parts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::lesson {

struct GoalTree {
  enum class Kind : uint8_t { number, name, call, binary, comparison, both };
  Kind kind = Kind::number;
  std::string name;             // of a name or function; "+", "-", "*", "/"; "<=", "==", …
  double value = 0;             // of a number
  std::vector<GoalTree> parts;  // two, or the arguments of a call
  std::string text;             // as it is written
};

// Arithmetic, calls, comparisons, and && between them. Empty for what else the language of expressions has,
// and for what is no expression.
std::optional<GoalTree> goal_tree(std::string_view condition);

}  // namespace warplens::lesson
