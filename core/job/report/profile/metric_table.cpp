#include "core/job/report/profile/metric_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "core/base/json/json.h"
#include "core/base/system/embedded.h"
#include "core/base/text.h"
#include "core/job/report/profile/facts.h"
#include "core/kernels/formula.h"

namespace warplens::profile {

namespace {

constexpr const char* table_file = "counters/profile_metrics.json";

// "8.0" → 80.
uint32_t capability_of(const std::string& text) {
  const size_t point = text.find('.');
  if (point == std::string::npos || point + 2 != text.size()) return 0;
  uint32_t number = 0;
  for (const char c : text)
    if (std::isdigit(static_cast<unsigned char>(c)) != 0)
      number = number * 10 + static_cast<uint32_t>(c - '0');
  return number;
}

struct TableReader {
  MetricTable table;
  std::map<std::string, std::string> groups;  // by table
  std::string wrong;                          // the first mistake

  void fail(const std::string& what) {
    if (wrong.empty()) wrong = what;
  }

  void read_sections(const Json& json) {
    for (const Json& row : json.at("sections"))
      table.sections.push_back({row.at("id").get<std::string>(), row.at("name").get<std::string>(),
                                row.value("why", std::string()), row.value("by_name", false)});
    for (const Json& row : json.at("tables"))
      groups[row.at("name").get<std::string>()] = row.at("group").get<std::string>();
  }

  void read_facts(Metric& metric) {
    const Result<expression::Tree> tree = parse_formula(metric.formula);
    if (!tree) return fail(tree.error().message);
    for (const auto& [fact, column] : tree->names()) metric.facts.push_back(fact);
  }

  void read_metric(const std::string& section, const Json& row) {
    Metric metric;
    metric.name = row.at("metric").get<std::string>();
    metric.section = section;
    metric.table = row.value("table", std::string());
    metric.label = row.at("label").get<std::string>();
    metric.unit = row.at("unit").get<std::string>();
    metric.what = row.at("what").get<std::string>();
    metric.formula = row.value("is", std::string());
    metric.note = row.value("note", std::string());
    metric.modelled = row.value("modelled", false);
    if (!metric.formula.empty()) read_facts(metric);
    if (!metric.table.empty() && !groups.contains(metric.table)) fail(metric.name + ": no such table");
    if (!metric.table.empty()) metric.group = groups[metric.table];
    if (row.contains("since")) {
      metric.since = capability_of(row["since"].get<std::string>());
      if (metric.since == 0) fail(metric.name + ": since is a compute capability, as 8.0");
    }
    if (table.metric(metric.name) != nullptr) fail(metric.name + " is listed twice");
    for (const std::string& fact : metric.facts)
      if (!fact_mark(fact)) fail(metric.name + ": there is no fact " + fact);
    table.metrics.push_back(std::move(metric));
  }

  void read_rules(const Json& json) {
    for (const auto& [name, row] : json.at("rules").items()) {
      RuleRow rule{name, row.at("section").get<std::string>(),
                   row.at("rests_on").get<std::vector<std::string>>()};
      if (table.section(rule.section) == nullptr) fail(name + ": no such section");
      for (const std::string& metric : rule.rests_on)
        if (table.metric(metric) == nullptr) fail(fmt::format("{}: there is no metric {}", name, metric));
      table.rules.push_back(std::move(rule));
    }
  }

  void read(const Json& json) {
    read_sections(json);
    for (const auto& [section, rows] : json.at("metrics").items())
      if (table.section(section) == nullptr) fail(section + ": no such section");
    for (const Section& section : table.sections)
      if (json.at("metrics").contains(section.id))
        for (const Json& row : json["metrics"][section.id]) read_metric(section.id, row);
    read_rules(json);
  }
};

}  // namespace

const char* to_string(Mark mark) {
  return mark == Mark::exact ? "exact" : mark == Mark::modelled ? "modelled" : "not known";
}

const Metric* MetricTable::metric(std::string_view name) const {
  const auto found = std::ranges::find(metrics, name, &Metric::name);
  return found == metrics.end() ? nullptr : &*found;
}

const Section* MetricTable::section(std::string_view id) const {
  const auto found = std::ranges::find(sections, id, &Section::id);
  return found == sections.end() ? nullptr : &*found;
}

const RuleRow* MetricTable::rule(std::string_view warning) const {
  const auto found = std::ranges::find(rules, warning, &RuleRow::name);
  return found == rules.end() ? nullptr : &*found;
}

Result<MetricTable> parse_metric_table(std::string_view json, std::string_view file) {
  const Result<Json> parsed = parse_json(json, file);
  if (!parsed) return parsed.error();
  TableReader reader;
  try {
    reader.read(*parsed);
  } catch (const Json::exception& exception) {
    reader.fail(exception.what());
  }
  if (!reader.wrong.empty()) return bad_input(fmt::format("{}: {}", file, reader.wrong));
  return std::move(reader.table);
}

const MetricTable& metric_table() {
  // The tests read the file and report its mistakes.
  static const MetricTable table = [] {
    Result<MetricTable> read = parse_metric_table(find_embedded(table_file), table_file);
    return read ? std::move(read).value() : MetricTable();
  }();
  return table;
}

Mark mark_of(const Metric& metric) {
  if (metric.formula.empty()) return Mark::not_known;
  Mark worst = metric.modelled ? Mark::modelled : Mark::exact;
  for (const std::string& fact : metric.facts)
    worst = std::max(worst, fact_mark(fact).value_or(Mark::not_known));
  return worst;
}

}  // namespace warplens::profile
