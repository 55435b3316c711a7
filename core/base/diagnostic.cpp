#include "core/base/diagnostic.h"

#include <algorithm>

#include <fmt/format.h>

namespace warplens {

bool has_errors(const std::vector<Diagnostic>& diagnostics) {
  return std::ranges::any_of(diagnostics, [](const Diagnostic& d) { return d.severity == Severity::error; });
}

namespace {

const char* word(Severity severity) {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "";
}

}  // namespace

std::string to_text(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    text += diagnostic.file.empty() ? "input" : diagnostic.file;
    if (diagnostic.line != 0) text += fmt::format(":{}", diagnostic.line);
    if (diagnostic.column != 0) text += fmt::format(":{}", diagnostic.column);
    text += fmt::format(": {}: {}\n", word(diagnostic.severity), diagnostic.message);
  }
  return text;
}

}  // namespace warplens
