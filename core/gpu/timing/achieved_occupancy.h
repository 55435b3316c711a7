// Achieved occupancy, modelled: the warps that are on an SM on average over the time in which it works, as a
// share of the most that it can hold. Blocks are given to the SMs as the time model does (block_spread.h),
// and all warps of a block count until the block ends. A GPU counts the same or less, since warps start one
// after the other and may end before their block; docs/profile.md compares the two.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/base/provenance.h"
#include "core/launch/run_result.h"

namespace warplens {

struct AchievedOccupancy {
  static constexpr Provenance source = Provenance::modelled;
  double warps = 0;  // on an SM
  double percent = 0;
  std::string formula;  // with the numbers filled in
};

// Empty if the launch did not run to its end, if nothing was counted, or if its registers are not known.
std::optional<AchievedOccupancy> achieved_occupancy(const RunResult& result, size_t launch);

}  // namespace warplens
