// The condition of a breakpoint for a lane: "lane == 17 && x > 3", "tid.x == 5 && %r7 < %r3".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/c_expression.h"
#include "core/base/result.h"

namespace warplens::stepping {

class Condition {
 public:
  // Errors quote the text and say where the mistake is.
  static Result<Condition> parse(std::string_view text);

  // The registers, special registers and parameters in the condition, as they were written, each once.
  const std::vector<std::string>& names() const { return m_expression.names(); }
  size_t column_of(size_t name) const { return m_expression.column_of(name); }
  const std::string& text() const { return m_text; }

  // Evaluates the condition with a value for each name. It is false if a value is missing, or if it has none
  // itself, as 1 / 0.
  bool holds(const std::vector<std::optional<CNumber>>& values) const;

 private:
  std::string m_text;
  CExpression m_expression;
};

}  // namespace warplens::stepping
