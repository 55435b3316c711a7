// Selects the sections and metrics that the user requested.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <regex>
#include <set>

#include "core/base/nearest.h"
#include "core/base/text.h"
#include "core/job/report/profile/metric_table.h"

namespace warplens::profile {

namespace {

constexpr std::string_view regex_form = "regex:", group_form = "group:", breakdown_form = "breakdown:";

// A regular expression as in the profiler: it may match a part of the name.
Result<std::regex> expression_of(std::string_view option, std::string_view text) {
  try {
    return std::regex(std::string(text), std::regex::ECMAScript);
  } catch (const std::regex_error& error) {
    return bad_input(
        fmt::format("{} regex:{}: this is no regular expression: {}", option, text, error.what()));
  }
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

Error unknown(std::string_view option, std::string_view what, std::string_view name,
              const std::vector<std::string>& names) {
  return bad_input(fmt::format("{} {}: there is no such {}; the nearest are {}. docs/profile.md lists all.",
                               option, name, what, joined(nearest_names(name, names))));
}

bool same_letters(std::string_view a, std::string_view b) { return lower_case(a) == lower_case(b); }

Result<void> add_sections(std::string_view wanted, std::set<std::string>& chosen) {
  const std::vector<Section>& sections = metric_table().sections;
  if (wanted.starts_with(regex_form)) {
    const Result<std::regex> expression = expression_of("--section", wanted.substr(regex_form.size()));
    if (!expression) return expression.error();
    bool any = false;
    for (const Section& section : sections) {
      if (!std::regex_search(section.id, *expression)) continue;
      any = true;
      chosen.insert(section.id);
    }
    return any ? Result<void>() : bad_input(fmt::format("--section {}: no section matches.", wanted));
  }
  std::vector<std::string> names;
  for (const Section& section : sections) {
    if (same_letters(section.id, wanted) || same_letters(section.name, wanted)) {
      chosen.insert(section.id);
      return {};
    }
    names.push_back(section.id);
  }
  return unknown("--section", "section", wanted, names);
}

using Chosen = std::vector<const Metric*>;

// Adds those for which `fits` is true. Returns whether there was one.
bool add_fitting(const std::function<bool(const Metric&)>& fits, Chosen& chosen) {
  bool any = false;
  for (const Metric& metric : metric_table().metrics) {
    if (!fits(metric)) continue;
    any = true;
    if (std::ranges::find(chosen, &metric) == chosen.end()) chosen.push_back(&metric);
  }
  return any;
}

Result<void> add_metrics(std::string_view wanted, Chosen& chosen) {
  if (wanted.starts_with(breakdown_form))
    return bad_input(
        fmt::format("--metrics {}: breakdowns split a throughput by a real GPU's counters, which the virtual "
                    "GPU does not have. Name single metrics.",
                    wanted));
  if (wanted.starts_with(regex_form)) {
    const Result<std::regex> expression = expression_of("--metrics", wanted.substr(regex_form.size()));
    if (!expression) return expression.error();
    if (add_fitting([&](const Metric& m) { return std::regex_search(m.name, *expression); }, chosen))
      return {};
    return bad_input(fmt::format("--metrics {}: no metric matches. docs/profile.md lists all.", wanted));
  }
  std::vector<std::string> names;
  if (wanted.starts_with(group_form)) {
    const std::string_view group = wanted.substr(group_form.size());
    if (add_fitting([&](const Metric& m) { return !m.group.empty() && m.group == group; }, chosen)) return {};
    for (const Metric& metric : metric_table().metrics)
      if (!metric.group.empty() && std::ranges::find(names, metric.group) == names.end())
        names.push_back(metric.group);
    return unknown("--metrics group:", "group of metrics", group, names);
  }
  // Without a suffix, the name means all of its sums and averages, as in the profiler.
  const auto is_it = [&](const Metric& m) {
    return m.name == wanted || (m.name.starts_with(wanted) && m.name[wanted.size()] == '.');
  };
  if (add_fitting(is_it, chosen)) return {};
  for (const Metric& metric : metric_table().metrics) names.push_back(metric.name);
  return unknown("--metrics", "metric", wanted, names);
}

// A comma in a regular expression separates, as in the profiler.
std::vector<std::string_view> parts_of(std::string_view list) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    if (end != begin) parts.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

}  // namespace

Result<Selection> select(const std::vector<std::string>& sections, std::string_view metrics) {
  Selection selection;
  for (const std::string_view part : parts_of(metrics))
    if (const Result<void> added = add_metrics(part, selection.metrics); !added) return added.error();
  std::set<std::string> chosen;
  for (const std::string& section : sections)
    if (const Result<void> added = add_sections(section, chosen); !added) return added.error();
  const bool all = sections.empty() && selection.metrics.empty();
  for (const Section& section : metric_table().sections)
    if ((all && !section.by_name) || chosen.contains(section.id)) selection.sections.push_back(&section);
  return selection;
}

}  // namespace warplens::profile
