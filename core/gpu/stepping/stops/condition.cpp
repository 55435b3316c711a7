#include "core/gpu/stepping/stops/condition.h"

#include <fmt/format.h>

#include <utility>

#include "core/expression/evaluate.h"
#include "core/expression/parse.h"
#include "core/gpu/exec/state/warp.h"

namespace warplens::stepping {

using expression::Value;

Result<Condition> Condition::parse(std::string_view text, std::string_view what) {
  const auto wrong = [&](std::string_view why) {
    return bad_input(fmt::format("The {} \"{}\" is wrong at {}", what, text.substr(0, 80), why));
  };
  Result<expression::Tree> tree = expression::parse(text);
  if (!tree) return wrong(tree.error().message);
  if (!tree->arrays().empty())
    return wrong(fmt::format("column {}: the index of {} must be a number, as in {}[3].",
                             tree->arrays()[0].column, tree->arrays()[0].text, tree->arrays()[0].text));
  Condition condition;
  condition.m_text = std::string(text);
  condition.m_tree = std::move(*tree);
  return condition;
}

uint32_t Condition::holding_lanes(std::span<const Value> values) const {
  if (values.size() < names().size() * warp_lanes) return 0;
  const std::vector<Value> found = expression::evaluate_lanes(m_tree, values, warp_lanes);
  uint32_t lanes = 0;
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
    bool holds = found[lane].holds();
    for (size_t name = 0; name < names().size(); ++name) holds &= values[name * warp_lanes + lane].is_known();
    lanes |= static_cast<uint32_t>(holds) << lane;
  }
  return lanes;
}

std::vector<Value> Condition::values(std::span<const Value> values) const {
  if (values.size() < names().size() * warp_lanes) return std::vector<Value>(warp_lanes);
  return expression::evaluate_lanes(m_tree, values, warp_lanes);
}

namespace {

// Either side of && and || decides, even if the other one is not known.
bool part_may_hold(const expression::Tree& tree, uint32_t node, std::span<const Value> values) {
  const expression::Op op = tree[node].op;
  if (op == expression::Op::both || op == expression::Op::either) {
    const bool left = part_may_hold(tree, tree.operand(node, 0), values);
    const bool right = part_may_hold(tree, tree.operand(node, 1), values);
    return op == expression::Op::both ? left && right : left || right;
  }
  const Value found = expression::evaluate_part(tree, node, values);
  return !found.is_known() || found.holds();
}

}  // namespace

bool Condition::may_hold(std::span<const Value> values) const {
  return part_may_hold(m_tree, m_tree.root(), values);
}

}  // namespace warplens::stepping
