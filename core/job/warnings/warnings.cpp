#include "core/job/warnings/warnings.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/device/number_text.h"
#include "core/job/warnings/warning_rules.h"

namespace warplens {
namespace {

// Whether only a larger input fixes it. With blocks of one warp, some SMs would still be idle.
bool is_for_large_inputs(const Warning& warning) {
  const WarningId id = warning.id;
  return id == WarningId::grid_smaller_than_sms || id == WarningId::low_occupancy_grid ||
         id == WarningId::tail_wave || id == WarningId::registers_limit_occupancy ||
         id == WarningId::shared_limits_occupancy || (id == WarningId::copies_dominate && warning.quiet);
}

Warning warning_of(const LaunchFacts& facts, const LaunchRule& rule) {
  Warning warning;
  warning.id = rule.id;
  warning.title = rule.title;
  warning.message = rule.explain(facts);
  warning.weight = rule.weight(facts);
  if (rule.id != WarningId::uncovered_elements) return warning;
  const auto covering = with_covering_grid(facts);
  if (!covering) return warning;
  warning.fix_grid = covering->grid;
  warning.fix_label = "Use " + grid_words(covering->grid);
  return warning;
}

}  // namespace

std::string grid_words(Dim3 grid) {
  return grid.y == 1 && grid.z == 1 ? counted(grid.x, "block") : extent_words(grid) + " blocks";
}

void by_weight(std::vector<Warning>& warnings) {
  const auto rank = [](const Warning& w) {
    return w.quiet ? (w.minor ? 4 : 3) : w.weight >= 1 ? 0 : w.fix_label.empty() ? 2 : 1;
  };
  std::ranges::stable_sort(warnings, [&](const Warning& a, const Warning& b) {
    return rank(a) != rank(b) ? rank(a) < rank(b) : a.weight > b.weight;
  });
}

std::vector<Warning> launch_warnings(const WarningInput& input) {
  std::vector<Warning> warnings;
  if (check_launch(input.device, input.shape, input.resources)) return warnings;
  const LaunchFacts facts = facts_of(input);
  for (const LaunchRule& rule : launch_rules()) {
    if (rule.applies(facts)) warnings.push_back(warning_of(facts, rule));
  }
  add_counter_warnings(input, warnings);
  if (is_small_input(facts)) {
    const size_t before = warnings.size();
    std::erase_if(warnings, is_for_large_inputs);
    if (warnings.size() != before) warnings.push_back(small_input_note(facts));
  }
  by_weight(warnings);
  return warnings;
}

LaunchShape with_fix(LaunchShape shape, const Warning& warning) {
  if (warning.fix_block) shape.block = *warning.fix_block;
  if (warning.fix_grid) shape.grid = *warning.fix_grid;
  if (warning.fix_shared_bytes) shape.shared_dynamic_bytes = *warning.fix_shared_bytes;
  return shape;
}

}  // namespace warplens
