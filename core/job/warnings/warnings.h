// What a teacher would say about this launch: each warning names what is wrong, why it costs, and the setting
// that mends it.
#pragma once

#include <optional>
#include <vector>

#include "core/launch/run_result.h"

namespace warplens {

struct WarningInput {
  const Device& device;
  LaunchShape shape;
  std::optional<Dim3> problem = {};      // threads needed per axis
  const Resources* resources = nullptr;  // null: not known yet
  const Occupancy* occupancy = nullptr;
  const Counters* counters = nullptr;  // of a run of this shape, null before it ran
  bool block_is_bound = false;         // the kernel needs exactly this block (a tile): offer no other
  const std::vector<LineCounters>* lines = nullptr;  // of that run: names the line that costs most
  const TimesUs* times = nullptr;                    // of that run
};

// In a fixed order, the gravest first. A launch that check_launch refuses has none: the refusal says it all.
// A fix is a launch that the device takes and that no longer draws its warning.
std::vector<Warning> launch_warnings(const WarningInput& input);

// The shape after pressing the warning's button; the same shape where it has none.
LaunchShape with_fix(LaunchShape shape, const Warning& warning);

}  // namespace warplens
