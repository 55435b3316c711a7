#include "app/views/code/status.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/base/format.h"

namespace warplens {

CodeStatus status_of(const CodeState& code) {
  const auto is_error = [](const Diagnostic& d) { return d.severity == Severity::error; };
  if (!code.own) return {.words = "built in"};
  if (code.wanted != 0) return {.words = "compiling…"};
  if (std::ranges::any_of(code.diagnostics, is_error)) return {.words = "has errors", .errors = true};
  if (code.text != code.compiled) return {.words = "edited, not run yet"};
  const std::string by = code.compiler.empty() ? "" : " by " + code.compiler;
  if (code.compile_ms <= 0) return {.words = "compiled" + by};
  return {.words = fmt::format("compiled{} in {}", by, milliseconds_text(code.compile_ms)), .measured = true};
}

}  // namespace warplens
