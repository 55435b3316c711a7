// The profile of each launch of a run: every metric with its figure, and what was found, as rules.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/job/report/profile/facts.h"
#include "core/job/report/profile/metric_table.h"
#include "core/launch/run_result.h"

namespace warplens::profile {

struct Figure {
  const Metric* metric = nullptr;
  std::optional<double> value;  // in base units
  Mark mark = Mark::not_known;
  std::optional<double> error = {};  // relative, in the median, where it was measured on this device
};

// A statement about a launch: a warning with its fix, a finding or a fault.
struct Rule {
  std::string name;                            // "bank_conflicts", "race"
  std::string type;                            // as in the profiler: "OPT", "INF", "WRN", "ERR"
  std::string section;                         // identifier
  std::string text;                            // what was found
  std::vector<const Metric*> rests_on = {};    // with known figures; empty if it is about several launches
  std::string figures = {};                    // these in words: "Rests on Grid Size 24 (exact)."
  std::string advice = {};                     // the fix that was tried; empty if none helps
  std::optional<double> speedup_percent = {};  // of the kernel's modelled time, by that fix
  std::optional<size_t> warning = {};  // its index in RunResult::warnings; empty for faults and findings

  std::string sentences() const;  // its full text
};

// The process that launched, as the profiler names it.
struct Process {
  uint64_t id = 0;
  std::string name;
  std::string host = "127.0.0.1";
};

struct LaunchProfile {
  uint64_t id = 0;  // from 0
  Process process;
  std::string kernel;
  std::string device;
  ComputeCapability compute_capability;
  LaunchShape shape;
  std::string incomplete;       // why nothing was counted; empty if the launch ran to its end
  Facts facts;                  // the facts from which the figures are computed
  std::vector<Figure> figures;  // of all metrics that the device has, in the order of the table
  std::vector<Rule> rules;      // of the whole run; only in its first launch
  std::vector<LineCounters> lines;
  std::shared_ptr<const SmStates> sm;  // null if the launch was not modelled
  std::string source;                  // of the kernel in CUDA C++; empty if it is not known
  std::string source_name;

  const Figure* figure(const Metric& metric) const;  // null if the device does not have it
};

// One for each launch that ran, or for the launch that was refused.
std::vector<LaunchProfile> profiles_of(const RunResult& result, uint64_t first_id, const Process& process);

}  // namespace warplens::profile
