// The sections and metrics of `warplens profile`, under Nsight Compute's names:
// assets/counters/profile_metrics.json.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warplens::profile {

// How far a figure can be trusted.
enum class Mark : uint8_t {
  exact,      // what the profiler counts, or a fact of the launch and the device
  modelled,   // by the models of time and caches, or from PTX in place of machine code
  not_known,  // printed as n/a
};
const char* to_string(Mark mark);  // "exact", "modelled", "not known"

struct Metric {
  std::string name;     // "launch__block_size"
  std::string section;  // "LaunchStats"
  std::string table;    // "Shared Memory"; empty if it is not in a table
  std::string group;    // of the table, as in --metrics group:NAME
  std::string label;    // "Block Size"
  std::string unit;     // in base units: "byte", never "Kbyte"
  std::string what;     // the sentence that explains it
  std::string formula;  // empty if not known
  std::string note;
  std::vector<std::string> facts;  // the names in the formula
  bool modelled = false;           // even if its facts are exact
  uint32_t since = 0;              // the first compute capability that has it, as 80; 0 for all
};

struct Section {
  std::string id, name;
  std::string why;       // why nothing is known about it; empty if something is
  bool by_name = false;  // not on the profiler's pages: only printed if --metrics or --section asks for it
};

// The section of a rule, and the metrics that it is based on.
struct RuleRow {
  std::string name;  // of a warning: "bank_conflicts"
  std::string section;
  std::vector<std::string> rests_on;
};

struct MetricTable {
  std::vector<Section> sections;  // in the order of the page
  std::vector<Metric> metrics;    // in the order of the sections
  std::vector<RuleRow> rules;

  const Metric* metric(std::string_view name) const;    // null if there is none
  const Section* section(std::string_view id) const;    // null if there is none
  const RuleRow* rule(std::string_view warning) const;  // null if there is none
};

// An error names the file and the row that is wrong.
Result<MetricTable> parse_metric_table(std::string_view json, std::string_view file);
// The built-in table.
const MetricTable& metric_table();
// The best mark that the metric can have: for some launches it is lower.
Mark mark_of(const Metric& metric);

// What a user wants to see.
struct Selection {
  std::vector<const Section*> sections;
  std::vector<const Metric*> metrics;  // selected by name (--metrics)
};
// `sections`: identifiers or names of sections, or regex:EXPRESSION; `metrics`: names, regex:EXPRESSION or
// group:NAME, separated by commas. With neither, all sections. An unknown name is an error with the nearest
// ones.
Result<Selection> select(const std::vector<std::string>& sections, std::string_view metrics);

}  // namespace warplens::profile
