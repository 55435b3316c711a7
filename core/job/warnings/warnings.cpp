#include "core/job/warnings/warnings.h"

#include <fmt/format.h>

#include "core/device/number_text.h"
#include "core/job/warnings/warning_rules.h"

namespace warplens {
namespace {

bool is_flat(Dim3 extent) { return extent.y == 1 && extent.z == 1; }

std::string fix_label(const Warning& warning, const LaunchShape& mended) {
  const std::string blocks =
      is_flat(mended.grid) ? counted(mended.grid.x, "block") : extent_words(mended.grid) + " blocks";
  if (!warning.fix_block) return "Use " + blocks;
  if (is_flat(mended.block))
    return fmt::format("Use {} threads a block, {}", thousands(mended.block.x), blocks);
  return fmt::format("Use blocks of {}, {}", extent_words(mended.block), blocks);
}

Warning warning_of(const LaunchFacts& facts, const LaunchRule& rule) {
  Warning warning;
  warning.id = rule.id;
  warning.title = rule.title;
  warning.message = rule.explain(facts);
  const auto mended = mend(facts, rule);
  if (!mended) return warning;
  if (!(mended->block == facts.shape.block)) warning.fix_block = mended->block;
  if (!(mended->grid == facts.shape.grid)) warning.fix_grid = mended->grid;
  warning.fix_label = fix_label(warning, *mended);
  return warning;
}

}  // namespace

std::vector<Warning> launch_warnings(const WarningInput& input) {
  std::vector<Warning> warnings;
  if (check_launch(input.device, input.shape, input.resources)) return warnings;
  const LaunchFacts facts = facts_of(input);
  for (const LaunchRule& rule : launch_rules()) {
    if (rule.applies(facts)) warnings.push_back(warning_of(facts, rule));
  }
  add_counter_warnings(input, warnings);
  return warnings;
}

LaunchShape with_fix(LaunchShape shape, const Warning& warning) {
  if (warning.fix_block) shape.block = *warning.fix_block;
  if (warning.fix_grid) shape.grid = *warning.fix_grid;
  if (warning.fix_shared_bytes) shape.shared_dynamic_bytes = *warning.fix_shared_bytes;
  return shape;
}

}  // namespace warplens
