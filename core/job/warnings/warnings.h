// Warnings about a launch, as a teacher would give them. Each says what is wrong, why it costs time, and
// which setting corrects it.
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
};

// The warnings in a fixed order, the most serious first. A launch that check_launch refuses has none, since
// the refusal already explains it. A fix is a launch that the device accepts and that no longer causes its
// warning.
std::vector<Warning> launch_warnings(const WarningInput& input);

// The shape after the warning's button is pressed. The same shape if it has no button.
LaunchShape with_fix(LaunchShape shape, const Warning& warning);

}  // namespace warplens
