#include "core/base/diagnostic.h"

#include <fmt/format.h>

namespace warplens {

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
