// The condition of a breakpoint for a lane: "lane == 17 && x > 3", "tid.x == 5 && %r7 < %r3".
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warplens::stepping {

// A condition has numbers, names, + - * / %, comparisons, && || !, ?:, parentheses, and muParser's
// functions. Everything is computed in double precision.
class Condition {
 public:
  // Errors quote the text and say where the mistake is.
  static Result<Condition> parse(std::string_view text);

  // The registers, special registers and parameters in the condition, as they were written, each once.
  const std::vector<std::string>& names() const { return m_names; }
  size_t column_of(size_t name) const { return m_columns[name]; }  // of its first use, counted from 1
  const std::string& text() const { return m_text; }

  // Evaluates the condition with a value for each name. It is false if a value is missing.
  bool holds(const std::vector<std::optional<double>>& values) const;

  Condition(Condition&&) noexcept;
  Condition& operator=(Condition&&) noexcept;
  ~Condition();

 private:
  struct Parser;
  Condition();
  std::string m_text;
  std::vector<std::string> m_names;
  std::vector<size_t> m_columns;
  std::unique_ptr<Parser> m_parser;
};

}  // namespace warplens::stepping
