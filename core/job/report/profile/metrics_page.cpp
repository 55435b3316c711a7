#include <fmt/format.h>

#include <algorithm>

#include "core/job/report/profile/pages.h"

namespace warplens::profile {

namespace {

// No formula contains a |, but a cell must not.
std::string cell(std::string text) {
  for (size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return text;
}

std::string metric_row(const Metric& metric) {
  const std::string devices =
      metric.since == 0 ? "" : fmt::format("from {}.{} on", metric.since / 10, metric.since % 10);
  std::string note = metric.note;
  if (!devices.empty()) note += (note.empty() ? "" : "; ") + devices;
  const std::string unit = metric.unit.empty() ? "" : " (" + metric.unit + ")";
  return fmt::format("| `{}` | {}{} | {} | {} | {} | {} |\n", metric.name, cell(metric.label), unit,
                     to_string(mark_of(metric)), cell(metric.what),
                     metric.formula.empty() ? "" : "`" + cell(metric.formula) + "`", cell(note));
}

}  // namespace

std::string metrics_page() {
  std::string text;
  for (const Section& section : metric_table().sections) {
    text += fmt::format("### {}\n\n`--section {}`", section.name, section.id);
    text += section.why.empty() ? "\n\n" : fmt::format(". This section {}.\n\n", section.why);
    std::string rows, table;
    for (const Metric& metric : metric_table().metrics) {
      if (metric.section != section.id) continue;
      if (metric.table != table)
        rows += fmt::format("| **{}** (`--metrics group:{}`) | | | | | |\n", metric.table, metric.group);
      table = metric.table;
      rows += metric_row(metric);
    }
    if (!rows.empty())
      text += "| metric | name and unit | mark | what it is | formula | |\n|---|---|---|---|---|---|\n" +
              rows + "\n";
  }
  return text;
}

}  // namespace warplens::profile
