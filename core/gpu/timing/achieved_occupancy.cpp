#include "core/gpu/timing/achieved_occupancy.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/figures.h"
#include "core/gpu/timing/block_spread.h"

namespace warplens {

std::optional<AchievedOccupancy> achieved_occupancy(const RunResult& result, size_t launch) {
  const bool ended = result.status == RunStatus::ok || result.status == RunStatus::check_failed;
  if (!ended || !result.request || launch >= result.launches.size()) return std::nullopt;
  const LaunchRecord& record = result.launches[launch];
  if (!record.counters || !record.occupancy) return std::nullopt;
  const Device& device = result.request->device;
  const uint32_t active = record.occupancy->active_blocks_per_sm, most = device.limits.max_warps_per_sm;
  const BlockSpread spread = record.block_work.empty()
                                 ? even_spread(record.shape.grid.count(), device.sms, active)
                                 : block_spread(record.block_work, device.sms, active);
  if (spread.resident <= 0 || most == 0) return std::nullopt;
  const double warps_of_block = double(ceil_div(record.shape.block.count(), uint64_t{warp_lanes}));
  AchievedOccupancy achieved;
  achieved.warps = spread.resident * warps_of_block;
  achieved.percent = 100 * achieved.warps / most;
  achieved.formula = fmt::format(
      "{} blocks are on an SM on average while it works × {} warps = {} of {} warps = {} %. Blocks go to the "
      "first "
      "SM with room and share it equally{}; their warps count until the block ends, so a GPU measures the "
      "same or "
      "less",
      three_digits(spread.resident), warps_of_block, three_digits(achieved.warps), most,
      three_digits(achieved.percent),
      record.block_work.empty() ? ", each with the same work" : ", each with the work that was counted");
  return achieved;
}

}  // namespace warplens
