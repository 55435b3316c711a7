#include "core/job/report/profile/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/gpu/timing/sm/errors.h"
#include "core/job/report/profile/facts.h"
#include "core/job/report/profile/values.h"
#include "core/kernels/formula.h"

namespace warplens::profile {

namespace {

constexpr const char* section_of_incidents = "SourceCounters";

Figure figure_of(const Metric& metric, const Facts& facts, const Names& names) {
  Figure figure{&metric, std::nullopt, Mark::not_known};
  if (metric.formula.empty()) return figure;
  Mark worst = metric.modelled ? Mark::modelled : Mark::exact;
  for (const std::string& name : metric.facts) {
    const auto fact = facts.find(name);
    if (fact == facts.end()) return figure;
    worst = std::max(worst, fact->second.mark);
  }
  const Result<expression::Value> value = evaluate(metric.formula, names);
  // If the divisor is 0, there is no figure.
  if (!value || !std::isfinite(value->number())) return figure;
  figure.value = value->number();
  figure.mark = worst;
  return figure;
}

std::vector<Figure> figures_of(const Device& device, const Facts& facts) {
  Names names;
  for (const auto& [name, fact] : facts) names[name] = fact.value;
  std::vector<Figure> figures;
  for (const Metric& metric : metric_table().metrics)
    if (metric.since <= device.compute_capability.number())
      figures.push_back(figure_of(metric, facts, names));
  return figures;
}

std::string why_incomplete(const RunResult& result, size_t launch) {
  const bool last = launch + 1 >= result.launches.size();
  switch (result.status) {
    case RunStatus::ok:
    case RunStatus::check_failed:
      return result.counters ? "" : "Nothing was counted.";
    case RunStatus::fault:
      return last ? "The kernel faulted, so nothing that it did is counted here: " + result.message : "";
    case RunStatus::refused:
      return fmt::format("CUDA would refuse this launch{}, so nothing ran: {}",
                         result.cuda_error ? " with " + *result.cuda_error : "", result.message);
    case RunStatus::cancelled:
      return last ? "The run was cancelled, so nothing that it did is counted here." : "";
  }
  return "";
}

// With several launches, the rule is about all of them, but the figures are about one.
void add_what_it_rests_on(const RuleRow& row, const LaunchProfile& profile, Rule& rule) {
  for (const std::string& name : row.rests_on) {
    const Metric* metric = metric_table().metric(name);
    const Figure* figure = metric != nullptr ? profile.figure(*metric) : nullptr;
    if (figure == nullptr || !figure->value) continue;
    const Shown shown = shown_for_people(*figure);
    rule.rests_on.push_back(metric);
    rule.figures +=
        fmt::format("{}{} {}{}{} ({})", rule.figures.empty() ? "Rests on " : ", ", metric->label, shown.value,
                    shown.unit.empty() ? "" : " ", shown.unit, to_string(figure->mark));
  }
  if (!rule.figures.empty()) rule.figures += ".";
}

Rule rule_of(const RunResult& result, size_t index, const LaunchProfile& profile) {
  const Warning& warning = result.warnings[index];
  const bool alone = result.launches.size() <= 1;
  const RuleRow* row = metric_table().rule(to_string(warning.id));
  Rule rule{to_string(warning.id),
            warning.weight >= 1 ? "WRN"
            : warning.quiet     ? "INF"
                                : "OPT",
            row != nullptr ? row->section : "LaunchStats",
            (warning.title.empty() ? "" : warning.title + ": ") + warning.message};
  rule.warning = index;
  if (row != nullptr && alone) add_what_it_rests_on(*row, profile, rule);
  if (!alone) rule.text += " Of all launches of the run.";
  if (!warning.fix_label.empty()) rule.advice = "Fix, tried and modelled: " + warning.fix_label + ".";
  if (warning.fix_from_us && warning.fix_to_us && *warning.fix_from_us > 0)
    rule.speedup_percent = 100 * (1 - *warning.fix_to_us / *warning.fix_from_us);
  return rule;
}

Rule rule_of(const Incident& incident, const char* type) {
  std::string place;
  if (incident.line != 0) place = fmt::format("{}:{}: ", incident.file, incident.line);
  return {to_string(incident.kind), type, section_of_incidents, place + incident.message};
}

std::vector<Rule> rules_of(const RunResult& result, const LaunchProfile& profile) {
  std::vector<Rule> rules;
  for (const Incident& fault : result.faults) rules.push_back(rule_of(fault, "ERR"));
  for (const Incident& finding : result.findings) rules.push_back(rule_of(finding, "WRN"));
  for (size_t i = 0; i < result.warnings.size(); ++i) rules.push_back(rule_of(result, i, profile));
  return rules;
}

}  // namespace

std::string Rule::sentences() const {
  std::string all = text;
  for (const std::string& more : {figures, advice})
    if (!more.empty()) all += " " + more;
  return all;
}

const Figure* LaunchProfile::figure(const Metric& metric) const {
  const auto found = std::ranges::find(figures, &metric, &Figure::metric);
  return found == figures.end() ? nullptr : &*found;
}

std::vector<LaunchProfile> profiles_of(const RunResult& result, uint64_t first_id, const Process& process) {
  std::vector<LaunchProfile> profiles;
  if (!result.request) return profiles;
  const Device& device = result.request->device;
  for (size_t i = 0; i < std::max<size_t>(result.launches.size(), 1); ++i) {
    LaunchProfile profile;
    profile.id = first_id + i;
    profile.process = process;
    const bool ran = i < result.launches.size();
    profile.kernel = ran ? result.launches[i].entry : result.entry;
    profile.shape = ran ? result.launches[i].shape : result.shape;
    profile.device = device.name;
    profile.compute_capability = device.compute_capability;
    profile.incomplete = why_incomplete(result, i);
    profile.facts = facts_of(result, i);
    profile.figures = figures_of(device, profile.facts);
    if (i == 0) profile.rules = rules_of(result, profile);
    if (result.launches.size() == 1 && profile.incomplete.empty()) profile.lines = result.lines;
    if (i == 0 && profile.incomplete.empty()) profile.sm = result.sm;
    if (profile.sm && profile.sm->checked)
      for (Figure& figure : profile.figures)
        if (figure.value) figure.error = sm::measured_errors().of_metric(figure.metric->name);
    if (result.request->module) {
      profile.source = result.request->module->source;
      profile.source_name = result.request->module->source_name;
    }
    profiles.push_back(std::move(profile));
  }
  return profiles;
}

}  // namespace warplens::profile
