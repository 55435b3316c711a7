// The counters beside the metrics of Nsight Compute.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/launch/run_result.h"

namespace warplens {

struct NcuName {
  std::string counter, metric;  // no metric: the profiler has none
  // Launches of the truth set (docs/counters.md) in which the two were compared, and in how many machine code
  // as ptxas makes it by default counts otherwise, by how many percent at most.
  uint64_t compared = 0, differ = 0;
  std::optional<uint64_t> most_percent;
  std::string why;  // machine code may count otherwise; empty if it does not
};
const std::vector<NcuName>& ncu_names();  // from assets/counters/ncu_names.json, in the order of the report

// A table with a line a counter: its value, the metric, and where they may differ.
std::string ncu_table(const std::optional<Counters>& counters);

}  // namespace warplens
