// The rules of launch_warnings that depend only on the launch, and the search for launches that no longer
// break a rule.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/job/warnings/warnings.h"

namespace warplens {

// The facts about a launch that the rules use. `problem` is the number of threads needed per axis, each at
// least 1.
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

// The part of the launch that may fix it.
enum class Remedy : uint8_t {
  none,
  grid,              // the grid; the block too if changing only the grid does not help
  block,             // the block, and the grid with it
  better_occupancy,  // the block, if more warps are then resident
};

struct LaunchRule {
  WarningId id;
  const char* title;
  Remedy remedy;
  bool (*applies)(const LaunchFacts& facts);
  std::string (*explain)(const LaunchFacts& facts);
  double (*weight)(const LaunchFacts& facts);  // see Warning::weight
};

std::span<const LaunchRule> launch_rules();

// The nearest launch that the device accepts and to which the rule does not apply. A launch that breaks no
// further rule is preferred.
std::optional<LaunchShape> mend(const LaunchFacts& facts, const LaunchRule& rule);

// The same block with the grid that covers the problem. Empty if the problem is not known, or if CUDA does
// not accept such a grid.
std::optional<LaunchShape> with_covering_grid(const LaunchFacts& facts);
// "40 blocks", "80 × 40 blocks"
std::string grid_words(Dim3 grid);

// Whether the problem is so small that no block of whole warps gives each SM a block, and the grid as many
// blocks as the rule of thumb requires.
bool is_small_input(const LaunchFacts& facts);
Warning small_input_note(const LaunchFacts& facts);

// Blocks of whole warps near the current one, the nearest first: first those with about as many threads, then
// those with about the same shape.
std::vector<Dim3> near_blocks(const LaunchFacts& facts);

// The rules that use the counts of a run; in warning_counters.cpp.
void add_counter_warnings(const WarningInput& input, std::vector<Warning>& warnings);

}  // namespace warplens
