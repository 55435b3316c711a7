// The rules behind launch_warnings that look at the launch alone, and the search for a launch that no longer
// breaks one.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/job/warnings/warnings.h"

namespace warplens {

// A launch as the rules see it. Problem: threads needed per axis, each at least 1.
struct LaunchFacts {
  const Device& device;
  LaunchShape shape;
  std::optional<Dim3> problem;
  const Resources* resources = nullptr;
  std::optional<Occupancy> occupancy;
  bool block_is_bound = false;
};

LaunchFacts facts_of(const WarningInput& input);
LaunchFacts with_shape(const LaunchFacts& facts, const LaunchShape& shape);

// What a button may change to mend it.
enum class Remedy : uint8_t {
  none,
  grid,              // the grid; the block where the grid alone does not do
  block,             // the block, and the grid with it
  better_occupancy,  // the block, where more warps are resident then
};

struct LaunchRule {
  const char* id;
  const char* title;
  Remedy remedy;
  bool (*applies)(const LaunchFacts& facts);
  std::string (*explain)(const LaunchFacts& facts);
};

std::span<const LaunchRule> launch_rules();

// The nearest launch that the device takes and to which the rule does not apply; if there is one, one that
// breaks no other rule that was kept before.
std::optional<LaunchShape> mend(const LaunchFacts& facts, const LaunchRule& rule);

// Rules over what a run counted; in warning_counters.cpp.
void add_counter_warnings(const WarningInput& input, std::vector<Warning>& warnings);

}  // namespace warplens
