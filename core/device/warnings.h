// What a teacher would say about this launch: each warning names what is wrong, why it costs, and the setting
// that mends it.
#pragma once

#include <optional>
#include <vector>

#include "core/backend/run_result.h"

namespace warplens {

struct WarningInput {
  const Device& device;
  LaunchShape shape;
  std::optional<Dim3> problem;           // threads needed per axis
  const Resources* resources = nullptr;  // null: not known yet
  const Occupancy* occupancy = nullptr;
  const Counters* counters = nullptr;  // of a run of this shape, null before it ran
  bool block_is_bound = false;         // the kernel needs exactly this block (a tile): offer no other
};

std::vector<Warning> launch_warnings(const WarningInput& input);

}  // namespace warplens
