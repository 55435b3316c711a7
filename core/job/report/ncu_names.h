// The counters with the metrics of Nsight Compute that correspond to them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/launch/run_result.h"

namespace warplens {

struct NcuName {
  std::string counter, metric;  // empty if the profiler has no such metric
  // The number of launches of the truth set (docs/counters.md) in which both were compared, the number in
  // which machine code from ptxas (with default options) counts differently, and the largest difference in
  // percent.
  uint64_t compared = 0, differ = 0;
  std::optional<uint64_t> most_percent;
  std::string why;  // why machine code may count differently; empty if it does not
};
const std::vector<NcuName>& ncu_names();  // from assets/counters/ncu_names.json, in the order of the report

// A table with a line for each counter: its value, the metric, and where they may differ.
std::string ncu_table(const std::optional<Counters>& counters);

}  // namespace warplens
