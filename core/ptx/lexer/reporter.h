// Collects the errors of a text, up to a limit, so that a broken text does not cost more than a good one.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/ptx/lexer/lexer.h"

namespace warplens::ptx {

inline TextPosition place_of(const Token& token) { return {token.line, token.column}; }

class Reporter {
 public:
  explicit Reporter(std::string file) : m_file(std::move(file)) {}

  // Always returns false, so that a failing function can return its result.
  bool error(TextPosition place, std::string message) {
    if (m_diagnostics.size() < k_max_errors) {
      m_diagnostics.push_back({Severity::error, m_file, place.line, place.column, std::move(message)});
    }
    return false;
  }

  bool full() const { return m_diagnostics.size() >= k_max_errors; }
  bool empty() const { return m_diagnostics.empty(); }
  std::vector<Diagnostic> take() { return std::move(m_diagnostics); }

 private:
  static constexpr size_t k_max_errors = 50;
  std::string m_file;
  std::vector<Diagnostic> m_diagnostics;
};

}  // namespace warplens::ptx
