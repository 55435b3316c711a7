#include "app/cli/shared/diagnostics.h"

#include <filesystem>
#include <ostream>

#include "core/base/system/files.h"
#include "warplens_config.h"

namespace warplens {

namespace {

namespace fs = std::filesystem;

// The folder of the repository that a folder is in; the folder itself if it is in none.
std::string repository_of(const fs::path& folder) {
  std::error_code ignored;
  for (fs::path up = folder; up != up.root_path(); up = up.parent_path())
    if (fs::exists(up / ".git", ignored)) return up.string();
  return folder.string();
}

}  // namespace

CliOption diagnostics_option(std::string& value) {
  return {"--diagnostics", &value,
          "What was found, for editors and code hosts: gcc (lines as compilers print them), json, sarif;\n"
          "or into a file, as sarif=FILE",
          "FORMAT[=FILE]"};
}

Result<std::optional<DiagnosticsChoice>> checked_diagnostics(const std::string& text) {
  if (text.empty()) return std::optional<DiagnosticsChoice>();
  Result<DiagnosticsChoice> choice = diagnostics_choice(text);
  if (!choice) return choice.error();
  if (!choice->file.empty())
    if (const Result<void> writable = check_writable(choice->file); !writable) return writable.error();
  return std::optional(std::move(*choice));
}

Result<void> write_diagnostics(const DiagnosticsChoice& choice, const std::vector<Found>& found,
                               const std::string& source, std::ostream& out) {
  std::error_code ignored;
  const fs::path here = fs::current_path(ignored);
  const std::string text =
      diagnostics_text(choice.format, found, config::version, source, {here.string(), repository_of(here)});
  if (!choice.file.empty()) return write_text(choice.file, text);
  out << text << std::flush;
  return {};
}

}  // namespace warplens
