// The parts of a report that only a real GPU gives: spreads, clocks, the time model beside the measurement,
// and the comparison of both engines.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/backend/run_result.h"
#include "core/timing/time_model.h"

namespace warplens {

// Null where nothing was measured, and empty texts.
nlohmann::ordered_json measured_json(const RunResult& result);
nlohmann::ordered_json comparisons_json(const RunResult& result);
std::string measured_section(const RunResult& result);
std::string comparisons_section(const RunResult& result);
nlohmann::ordered_json libraries_json(const std::vector<LibraryRow>& rows);
std::string libraries_section(const RunResult& result);

nlohmann::ordered_json spread_json(const std::optional<Spread>& spread);
// "12.3 µs (12.1 to 12.6 µs, at least 12 µs)".
std::string spread_text(const Spread& spread);

}  // namespace warplens
