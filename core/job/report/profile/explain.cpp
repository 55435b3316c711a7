#include "core/job/report/profile/explain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/base/figures.h"
#include "core/base/text.h"
#include "core/expression/print.h"
#include "core/gpu/timing/sm/errors.h"
#include "core/kernels/formula.h"

namespace warplens::profile {

namespace {

std::string number_text(double value) {
  const bool is_whole = std::floor(value) == value && value >= 0 && value < 1e15;
  return is_whole ? thousands(static_cast<uint64_t>(value)) : fmt::format("{:.4g}", value);
}

// "as a sentence" → "As a sentence."
std::string sentence_of(std::string words) {
  if (words.empty()) return words;
  return capitalised(std::move(words)) + ".";
}

std::string missing_facts(const Metric& metric, const Facts& facts) {
  std::vector<std::string> missing;
  for (const std::string& fact : metric.facts)
    if (!facts.contains(fact) && std::ranges::find(missing, fact) == missing.end()) missing.push_back(fact);
  return fmt::format("{}", fmt::join(missing, ", "));
}

std::string why_not_known(const Metric& metric, const Facts& facts) {
  if (metric.formula.empty()) {
    const Section* section = metric_table().section(metric.section);
    if (metric.note.empty() && section != nullptr && !section->why.empty())
      return "Not known: this section " + section->why + ".";
    return "Not known: " + (metric.note.empty() ? "it is not modelled" : metric.note) + ".";
  }
  const std::string missing = missing_facts(metric, facts);
  if (missing.empty()) return "Not known: there is nothing to divide by.";
  const std::string note = metric.note.empty() ? "" : " " + sentence_of(metric.note);
  return fmt::format("Not known of this launch: it needs {}.{}", missing, note);
}

// Whether the model of an SM makes some of its figures.
bool is_by_sm_model(const Section& section) {
  return std::ranges::any_of(metric_table().metrics, [&](const Metric& metric) {
    return metric.section == section.id && sm::measured_errors().of_metric(metric.name);
  });
}

}  // namespace

std::string note_of(const Section& section, const SmStates* sm) {
  if (!section.why.empty()) return "This section " + section.why + ".";
  if (sm == nullptr || !is_by_sm_model(section)) return "";
  const sm::Errors& errors = sm::measured_errors();
  if (!sm->checked)
    return fmt::format("By a model of an SM, not checked on hardware: it was compared with an {} only.",
                       errors.device);
  return fmt::format(
      "± is the median error of the model of an SM against Nsight Compute, over {} launches that fill an {}. "
      "Its cycles are off by {:.1f} %; in {:.0f} % of the launches, its largest stall is the profiler's.",
      errors.launches, errors.device, 100 * errors.cycles,
      100.0 * errors.largest_stall_equal / errors.launches);
}

std::string with_numbers(const Metric& metric, const Facts& facts) {
  const Result<expression::Tree> tree = parse_formula(metric.formula);
  if (!tree) return {};
  return expression::print(*tree, [&](const std::string& name) {
    const auto fact = facts.find(name);
    return fact == facts.end() ? name : number_text(fact->second.value);
  });
}

std::string where_from(const Figure& figure, const Facts& facts) {
  const Metric& metric = *figure.metric;
  if (!figure.value) return why_not_known(metric, facts);
  const std::string note = metric.note.empty() ? "" : " " + sentence_of(metric.note);
  if (figure.mark == Mark::exact)
    return "Exact: a fact of the launch or the device, or a count that equals the profiler's own." + note;
  return "Modelled: by the models of time and caches, or of the PTX in place of machine code." + note;
}

}  // namespace warplens::profile
