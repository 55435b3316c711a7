// What a run found, for editors and code hosts: lines as compilers print them, JSON, and SARIF 2.1.0 (OASIS).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "core/launch/run_result.h"
#include "core/recording/summary.h"

namespace warplens {

struct Found {
  Diagnostic at = {};  // its file as the user named it, or as the program's line information has it
  std::string kind = {}, kernel = {};    // "race"; "compile" for a message of the compiler
  std::vector<Diagnostic> related = {};  // other places: the second access of a race, the launch
  uint64_t count = 1;
};

// Faults are errors, findings are warnings. `file` is the path of the source whose name the result has.
std::vector<Found> found_in(const RunResult& result, const std::string& file);
std::vector<Found> found_in(const std::vector<Diagnostic>& of_compiler, const std::string& file);
// Faults and failed calls are errors, other findings are warnings, and what costs time is a note.
std::vector<Found> found_in(const recording::ProgramSummary& summary);

enum class DiagnosticsFormat : uint8_t { gcc, json, sarif };
struct DiagnosticsChoice {
  DiagnosticsFormat format = DiagnosticsFormat::gcc;
  std::string file;  // empty: standard output
};
// "gcc", "json", "sarif", or one of them and a file: "sarif=found.sarif".
Result<DiagnosticsChoice> diagnostics_choice(std::string_view text);

struct SourceFolders {
  std::string here;  // where relative paths begin
  std::string root;  // where those of a code host begin: the repository's folder
};
// `fallback` is the file of what has no place, since code hosts take nothing without one.
std::string diagnostics_text(DiagnosticsFormat format, std::span<const Found> found, std::string_view version,
                             const std::string& fallback, const SourceFolders& folders);

}  // namespace warplens
