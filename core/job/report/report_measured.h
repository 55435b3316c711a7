// The parts of a report that only a real GPU gives: spreads, clocks, the time model compared with the
// measurement, and the comparison of both engines.
#pragma once

#include <string>

#include "core/base/json/json.h"
#include "core/gpu/timing/time_model.h"
#include "core/launch/run_result.h"

namespace warplens {

// If nothing was measured, the JSON is null and the text is empty.
ReportJson measured_json(const RunResult& result);
ReportJson comparisons_json(const RunResult& result);
std::string measured_section(const RunResult& result);
std::string comparisons_section(const RunResult& result);
ReportJson libraries_json(const std::vector<LibraryRow>& rows);
std::string libraries_section(const RunResult& result);

ReportJson spread_json(const std::optional<Spread>& spread);
// "12.3 µs (12.1 to 12.6 µs, at least 12 µs)".
std::string spread_text(const Spread& spread);

}  // namespace warplens
