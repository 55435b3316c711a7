#include "app/views/program/compile_mistakes.h"

#include <algorithm>
#include <filesystem>
#include <string>

#include "core/compile/compiler_log.h"

namespace warplens {

CompileMistakes compile_mistakes(const ProgramRun& run) {
  CompileMistakes made;
  if (!run.path.ends_with(".cu") || run.status == 0 || run.used_device) return made;
  std::string said;
  for (const std::string& line : run.output) said += line + "\n";
  const auto name = std::filesystem::path(run.path).filename();
  for (Diagnostic& diagnostic : parse_nvrtc_log(said)) {
    if (diagnostic.severity == Severity::note || diagnostic.line == 0) continue;
    if (std::filesystem::path(diagnostic.file).filename() == name) made.all.push_back(std::move(diagnostic));
  }
  const bool fails = std::ranges::any_of(
      made.all, [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::error; });
  if (!fails) return {};
  made.source = recording::read_lines(run.path);
  return made;
}

}  // namespace warplens
