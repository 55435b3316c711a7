// What is known of a launch, by name: the counters of the report, the launch, the device and the models. The
// formulas of the metrics are made of these.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/launch/run_result.h"
#include "core/report/profile/metric_table.h"

namespace warplens::profile {

struct Fact {
  double value = 0;
  Mark mark = Mark::exact;
};
using Facts = std::map<std::string, Fact, std::less<>>;

// Those that are not known are left out. Of a launch that did not run to its end, what was counted is.
Facts facts_of(const RunResult& result, size_t launch);

// The best that is known of a fact. Empty if there is none of this name.
std::optional<Mark> fact_mark(std::string_view name);

}  // namespace warplens::profile
