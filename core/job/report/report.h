// The JSON report of a run (schema 1): stable names; a number that is not known is null, never 0.
#pragma once

#include <string>

#include "core/launch/run_result.h"

namespace warplens {

std::string report_json(const RunResult& result);
// A page for people: what was run, where, how it ended, and the counts with their sources.
std::string report_text(const RunResult& result);

}  // namespace warplens
