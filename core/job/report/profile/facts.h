// The known facts of a launch, by name: the counters of the report, the launch, the device and the models.
// The formulas of the metrics use them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/job/report/profile/metric_table.h"
#include "core/launch/run_result.h"

namespace warplens::profile {

struct Fact {
  double value = 0;
  Mark mark = Mark::exact;
};
using Facts = std::map<std::string, Fact, std::less<>>;

// Unknown facts are left out. For a launch that did not run to its end, the counts so far are included.
Facts facts_of(const RunResult& result, size_t launch);

// The best mark that a fact can have. Empty if there is no fact with this name.
std::optional<Mark> fact_mark(std::string_view name);

}  // namespace warplens::profile
