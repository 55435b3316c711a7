// Searches for launches that no longer break a rule. It goes through blocks near the current one, nearest
// first, and checks them against the device and the rule itself. tried_fixes.h finds out whether they are
// faster.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/job/warnings/warning_rules.h"

namespace warplens {
namespace {

constexpr std::array<uint32_t, 20> extents{1,  2,  3,  4,   6,   8,   12,  16,  24,  32,
                                           48, 64, 96, 128, 192, 256, 384, 512, 768, 1024};
constexpr std::array<uint32_t, 4> depths{1, 2, 4, 8};

struct Candidate {
  Dim3 block;
  double distance;
};

double log_ratio(uint64_t a, uint64_t b) {
  return std::abs(std::log2(static_cast<double>(a) / static_cast<double>(b)));
}

// The number of threads weighs more than the shape.
double distance_of(Dim3 block, Dim3 today) {
  const uint64_t threads = ceil_div(today.count(), warp_lanes) * warp_lanes;
  return 8 * log_ratio(block.count(), threads) + log_ratio(block.x, today.x) + log_ratio(block.y, today.y) +
         log_ratio(block.z, today.z);
}

std::vector<Candidate> candidates_for(const LaunchFacts& facts) {
  const Dim3 today = facts.shape.block, problem = facts.problem.value_or(today);
  const uint32_t most = facts.device.limits.max_threads_per_block;
  std::vector<Candidate> found;
  const auto add = [&](Dim3 block) {
    const bool whole_warps = block.count() % warp_lanes == 0;
    if (whole_warps && block.count() <= most) found.push_back({block, distance_of(block, today)});
  };
  const bool deep = today.z > 1 || problem.z > 1, flat = !deep && today.y == 1 && problem.y == 1;
  if (flat) {
    for (uint32_t threads = warp_lanes; threads <= most; threads += warp_lanes) add({threads, 1, 1});
  } else {
    for (uint32_t x : extents)
      for (uint32_t y : extents)
        for (uint32_t z : depths)
          if (z == 1 || deep) add({x, y, z});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Candidate& a, const Candidate& b) { return a.distance < b.distance; });
  return found;
}

// The launch with a grid that covers the problem, or as many threads as now if the problem is not known.
// Empty if there is no such grid.
std::optional<LaunchShape> refit(const LaunchFacts& facts, Dim3 block) {
  LaunchShape shape = facts.shape;
  const auto fit = [](uint64_t threads, uint32_t extent, uint32_t& grid) {
    const uint64_t blocks = ceil_div(threads, extent);
    grid = static_cast<uint32_t>(std::min<uint64_t>(blocks, UINT32_MAX));
    return blocks <= UINT32_MAX;
  };
  const Dim3 grid = shape.grid, old = shape.block;
  shape.block = block;
  const bool fits = fit(facts.problem ? facts.problem->x : uint64_t{grid.x} * old.x, block.x, shape.grid.x) &&
                    fit(facts.problem ? facts.problem->y : uint64_t{grid.y} * old.y, block.y, shape.grid.y) &&
                    fit(facts.problem ? facts.problem->z : uint64_t{grid.z} * old.z, block.z, shape.grid.z);
  if (!fits) return std::nullopt;
  return shape;
}

bool mends(const LaunchFacts& before, const LaunchFacts& after, const LaunchRule& rule) {
  if (rule.applies(after) || check_launch(after.device, after.shape, after.resources)) return false;
  if (rule.remedy != Remedy::better_occupancy) return true;
  return before.occupancy && after.occupancy &&
         after.occupancy->theoretical_percent > before.occupancy->theoretical_percent;
}

bool breaks_another(const LaunchFacts& before, const LaunchFacts& after) {
  const auto rules = launch_rules();
  return std::any_of(rules.begin(), rules.end(),
                     [&](const LaunchRule& rule) { return rule.applies(after) && !rule.applies(before); });
}

// Without resources, the occupancy of another block is not known. Then rules that depend on it get no fix.
bool can_judge(const LaunchFacts& facts, const LaunchRule& rule) {
  return rule.applies(with_shape(facts, facts.shape));
}

}  // namespace

std::optional<LaunchShape> with_covering_grid(const LaunchFacts& facts) {
  if (!facts.problem) return std::nullopt;
  const auto shape = refit(facts, facts.shape.block);
  if (!shape || check_launch(facts.device, *shape, facts.resources)) return std::nullopt;
  return shape;
}

std::vector<Dim3> near_blocks(const LaunchFacts& facts) {
  std::vector<Dim3> blocks;
  for (const Candidate& candidate : candidates_for(facts)) blocks.push_back(candidate.block);
  return blocks;
}

std::optional<LaunchShape> mend(const LaunchFacts& facts, const LaunchRule& rule) {
  if (rule.remedy == Remedy::none || !can_judge(facts, rule)) return std::nullopt;
  if (rule.remedy == Remedy::grid) {
    const auto shape = refit(facts, facts.shape.block);
    if (shape && mends(facts, with_shape(facts, *shape), rule)) return shape;
  }
  if (facts.block_is_bound) return std::nullopt;
  std::optional<LaunchShape> second_best;
  for (const Candidate& candidate : candidates_for(facts)) {
    const auto shape = refit(facts, candidate.block);
    if (!shape) continue;
    const LaunchFacts after = with_shape(facts, *shape);
    if (!mends(facts, after, rule)) continue;
    if (!breaks_another(facts, after)) return shape;
    if (!second_best) second_best = shape;
  }
  return second_best;
}

}  // namespace warplens
