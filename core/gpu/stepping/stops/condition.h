// The condition of a breakpoint: "lane == 17 && x > 3", "tid.x == 5 && %r7 < %r3".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/expression/tree.h"

namespace warplens::stepping {

class Condition {
 public:
  // Errors quote the text, call it by `what`, and say where the mistake is.
  static Result<Condition> parse(std::string_view text, std::string_view what = "condition");

  // The registers, special registers and parameters in the condition.
  const std::vector<expression::Tree::Name>& names() const { return m_tree.names(); }
  const std::string& text() const { return m_text; }

  // The lanes in which it holds, with the values of each name in the lanes of a warp, name by name. It does
  // not hold where a value is missing, or where it has none itself, as 1 / 0.
  uint32_t holding_lanes(std::span<const expression::Value> values) const;
  // What it computes in each lane, as an expression. None where that depends on a missing value.
  std::vector<expression::Value> values(std::span<const expression::Value> values) const;
  // Whether it may hold, with a value for each name. Values that are missing may be any. False is certain.
  bool may_hold(std::span<const expression::Value> values) const;

 private:
  std::string m_text;
  expression::Tree m_tree;
};

}  // namespace warplens::stepping
