// Warnings about a launch, as a teacher would give them. Each says what is wrong and why it costs time. Fixes
// come later: they are tried first (core/job/tried_fixes.h).
#pragma once

#include <optional>
#include <vector>

#include "core/launch/run_result.h"

namespace warplens {

struct WarningInput {
  const Device& device;
  LaunchShape shape;
  std::optional<Dim3> problem = {};      // threads needed per axis
  const Resources* resources = nullptr;  // null if not known yet
  const Occupancy* occupancy = nullptr;
  const Counters* counters = nullptr;  // of a run of this shape; null before the run
  bool block_is_bound = false;         // the kernel needs exactly this block (a tile), so no other is offered
  const std::vector<LineCounters>* lines = nullptr;  // of that run: names the line that costs most
  const TimesUs* times = nullptr;                    // of that run
  bool copies_between_launches = false;              // the steps copy while further launches are to come
};

// The warnings, the most severe first. A launch that check_launch refuses has none, since the refusal already
// explains it. An input that is too small to fill the device, whatever the block, gets one quiet note in
// place of the warnings that matter only for larger inputs. Only a launch that leaves elements out has a fix
// here: the grid that covers them, which is arithmetic.
std::vector<Warning> launch_warnings(const WarningInput& input);

// Sorts: wrong results first, then what another launch fixes, then what only the code can fix, quiet notes
// last, and behind them those of which a cache takes most (minor). Within each group by weight, the largest
// first; equal weights keep their order.
void by_weight(std::vector<Warning>& warnings);

// The shape after the warning's button is pressed. The same shape if it has no button.
LaunchShape with_fix(LaunchShape shape, const Warning& warning);

}  // namespace warplens
