#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "core/base/csv.h"
#include "core/base/text_line.h"
#include "core/job/report/profile/pages.h"
#include "core/job/report/profile/values.h"

namespace warplens::profile {

namespace {

// Every field in quotes and on one line, as in the profiler.
std::string in_quotes(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return csv_quoted(text);
}

std::string csv_row(const std::vector<std::string>& fields) {
  std::string row;
  for (const std::string& field : fields) row += (row.empty() ? "" : ",") + in_quotes(field);
  return row + "\n";
}

const std::vector<std::string> launch_columns = {
    "ID",     "Process ID", "Process Name", "Host Name", "Kernel Name", "Context",
    "Stream", "Block Size", "Grid Size",    "Device",    "CC"};
// The last two are our own: a program that reads the profiler's columns ignores them.
const std::vector<std::string> details_columns = {
    "Section Name",      "Metric Name", "Metric Unit",      "Metric Value",
    "Rule Name",         "Rule Type",   "Rule Description", "Estimated Speedup Type",
    "Estimated Speedup", "Mark",        "Median Error (%)"};

std::vector<std::string> joined_rows(std::vector<std::string> first, const std::vector<std::string>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::vector<std::string> launch_fields(const LaunchProfile& profile) {
  return {fmt::to_string(profile.id),
          fmt::to_string(profile.process.id),
          profile.process.name,
          profile.process.host,
          profile.kernel,
          "1",
          "7",
          shown_extents(profile.shape.block),
          shown_extents(profile.shape.grid),
          "0",
          fmt::format("{}.{}", profile.compute_capability.major, profile.compute_capability.minor)};
}

std::string figure_row(const std::vector<std::string>& launch, const std::string& section,
                       const std::string& name, const Figure& figure) {
  return csv_row(joined_rows(
      launch, {section, name, figure.metric->unit, shown_for_scripts(figure, 2), "", "", "", "", "",
               to_string(figure.mark), figure.error ? fmt::format("{:.1f}", 100 * *figure.error) : ""}));
}

std::string details_rows(const LaunchProfile& profile, const Selection& selection) {
  const std::vector<std::string> launch = launch_fields(profile);
  std::string rows;
  for (const Metric* metric : selection.metrics)
    if (const Figure* figure = profile.figure(*metric))
      rows += figure_row(launch, named_metrics_section, metric->name, *figure);
  for (const Section* section : selection.sections) {
    for (const Figure& figure : profile.figures)
      if (figure.metric->section == section->id)
        rows += figure_row(launch, section->name, figure.metric->label, figure);
    // For a rule, the identifier of its section is in the column for the metric's name.
    for (const Rule& rule : profile.rules)
      if (rule.section == section->id)
        rows += csv_row(joined_rows(
            launch, {section->id, "", "", "", rule.name, rule.type, rule.sentences(),
                     rule.speedup_percent ? "global" : "",
                     rule.speedup_percent ? fmt::format("{:.2f}", *rule.speedup_percent) : "", "", ""}));
  }
  return rows;
}

// A column for each metric that a device of these launches has.
std::string raw_csv(std::span<const LaunchProfile> profiles, const Selection& selection) {
  std::vector<const Metric*> metrics = metrics_of(selection);
  std::erase_if(metrics, [&](const Metric* metric) {
    return std::ranges::none_of(profiles,
                                [&](const LaunchProfile& p) { return p.figure(*metric) != nullptr; });
  });
  std::vector<std::string> names = launch_columns, units(launch_columns.size());
  for (const Metric* metric : metrics) {
    names.push_back(metric->name);
    units.push_back(metric->unit);
  }
  std::string text = csv_row(names) + csv_row(units);
  for (const LaunchProfile& profile : profiles) {
    std::vector<std::string> row = launch_fields(profile);
    for (const Metric* metric : metrics) {
      const Figure* figure = profile.figure(*metric);
      row.push_back(
          shown_for_scripts(figure != nullptr ? *figure : Figure{metric, std::nullopt, Mark::not_known}, 6));
    }
    text += csv_row(row);
  }
  return text;
}

std::string source_csv(const LaunchProfile& profile) {
  std::string text;
  std::vector<std::string> files;
  for (const LineCounters& line : profile.lines)
    if (line.line != 0 && std::ranges::find(files, line.file) == files.end()) files.push_back(line.file);
  for (const std::string& file : files) {
    text += csv_row({"File Path", file}) + csv_row({"Function Name", profile.kernel});
    text += csv_row({"Line No", "Source", "Instructions Executed", "Thread Instructions Executed",
                     "Avg. Threads Executed", "Divergent Branches", "L1 Tag Requests Global",
                     "L1 Wavefronts Shared Excessive", "L2 Theoretical Sectors Global Excessive",
                     "L2 Theoretical Sectors Global", "L2 Theoretical Sectors Global Ideal",
                     "Warp Cycles, modelled (%)", "Largest State, modelled"});
    for (const LineCounters& line : profile.lines) {
      if (line.file != file || line.line == 0) continue;
      const double threads =
          line.warp_instructions == 0 ? 0 : double(line.thread_instructions) / double(line.warp_instructions);
      const std::optional<LineStates> states =
          profile.sm ? states_at(*profile.sm, line.file, line.line) : std::nullopt;
      const std::string_view source =
          file == profile.source_name ? line_of(profile.source, line.line) : std::string_view();
      text += csv_row(
          {fmt::to_string(line.line), std::string(source), fmt::to_string(line.warp_instructions),
           fmt::to_string(line.thread_instructions), fmt::format("{:.2f}", threads),
           fmt::to_string(line.divergent_branches), fmt::to_string(line.global_requests),
           fmt::to_string(line.bank_conflicts),
           fmt::to_string(line.global_sectors - std::min(line.global_sectors, line.global_sectors_ideal)),
           fmt::to_string(line.global_sectors), fmt::to_string(line.global_sectors_ideal),
           states ? fmt::format("{:.2f}", 100 * states->share) : "",
           states ? text_of(states->longest).name : ""});
    }
  }
  return text;
}

}  // namespace

std::string csv_page(Page page, std::span<const LaunchProfile> profiles, const Selection& selection) {
  if (page == Page::raw) return raw_csv(profiles, selection);
  std::string text = page == Page::details ? csv_row(joined_rows(launch_columns, details_columns)) : "";
  for (const LaunchProfile& profile : profiles)
    text += page == Page::details ? details_rows(profile, selection) : source_csv(profile);
  return text;
}

}  // namespace warplens::profile
