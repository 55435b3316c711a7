// The syntax tree of a condition, from which its words are made. muParser computes values but keeps no tree.
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

// Supports arithmetic, calls, comparisons, and && between them. Empty for everything else in the language of
// expressions, and for syntax errors.
std::optional<GoalTree> goal_tree(std::string_view condition);

}  // namespace warplens::lesson
