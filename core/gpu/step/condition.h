// What a breakpoint asks of a lane: "lane == 17 && x > 3", "tid.x == 5 && %r7 < %r3".
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

// Numbers, names, + - * / % and comparisons, && || !, ?:, parentheses, and muParser's functions. Everything
// is computed in double precision.
class Condition {
 public:
  // Errors quote the text and say where it goes wrong.
  static Result<Condition> parse(std::string_view text);

  // Registers, special registers, parameters, as they were written; each once.
  const std::vector<std::string>& names() const { return m_names; }
  size_t column_of(size_t name) const { return m_columns[name]; }  // 1-based, where it stands first
  const std::string& text() const { return m_text; }

  // With one value for each name. A value that is not there makes it false.
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
