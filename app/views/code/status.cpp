#include "app/views/code/status.h"

#include <algorithm>

#include "app/base/format.h"

namespace warplens {

CodeStatus status_of(const CodeState& code) {
  const auto is_error = [](const Diagnostic& d) { return d.severity == Severity::error; };
  if (!code.own) return {.words = "built in"};
  if (code.wanted != 0) return {.words = "compiling…"};
  if (std::ranges::any_of(code.diagnostics, is_error)) return {.words = "has errors", .errors = true};
  if (code.text != code.compiled) return {.words = "edited, not run yet"};
  if (code.compile_ms <= 0) return {.words = "compiled"};
  return {.words = "compiled in " + milliseconds_text(code.compile_ms), .measured = true};
}

}  // namespace warplens
