// The option --diagnostics of the commands that run kernels and programs.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/shared/command.h"
#include "core/job/report/diagnostics.h"

namespace warplens {

CliOption diagnostics_option(std::string& value);

// Checks before the run that the file can be written. `text` is the option's value; empty for none.
Result<std::optional<DiagnosticsChoice>> checked_diagnostics(const std::string& text);

// To the file, or to `out`. `source` is what the user named.
Result<void> write_diagnostics(const DiagnosticsChoice& choice, const std::vector<Found>& found,
                               const std::string& source, std::ostream& out);

}  // namespace warplens
