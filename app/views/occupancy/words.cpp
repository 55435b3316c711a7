// The sentences of the Occupancy view: what limits, why, and what would make room.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/base/format.h"
#include "app/views/occupancy/resource_bars.h"

#include "core/base/text.h"

namespace warplens {

namespace {

const char* name_of(Limiter limiter) {
  switch (limiter) {
    case Limiter::registers:
      return "registers";
    case Limiter::shared_memory:
      return "shared memory";
    case Limiter::warps:
      return "warp slots";
    case Limiter::blocks:
      return "block slots";
  }
  return "";
}

// The sentence about the resource that limits this launch.
std::string reason_of(Limiter limiter, const Device& device, const OccupancyInput& launch,
                      const Occupancy& o) {
  const uint64_t warps = ceil_div(launch.threads_per_block, warp_lanes);
  const std::string blocks = count_text(o.active_blocks_per_sm, "block", "blocks");
  switch (limiter) {
    case Limiter::registers:
      return fmt::format("{} registers a thread let only {} of {} share the {} registers of an SM.",
                         launch.registers_per_thread, blocks, count_text(warps, "warp", "warps"),
                         with_separators(device.limits.registers_per_sm));
    case Limiter::shared_memory:
      return fmt::format("{} of shared memory a block let only {} share the {} of an SM.",
                         bytes_text(uint64_t{launch.shared_static_bytes} + launch.shared_dynamic_bytes),
                         blocks, bytes_text(device.limits.shared_bytes_per_sm));
    case Limiter::warps:
      return fmt::format("{} of {} fill {} of the {} warp slots of an SM.", blocks,
                         count_text(warps, "warp", "warps"), o.active_warps_per_sm,
                         device.limits.max_warps_per_sm);
    case Limiter::blocks:
      return fmt::format("An SM takes {}, and blocks of {} fill only {} of its {} warp slots.", blocks,
                         count_text(warps, "warp", "warps"), o.active_warps_per_sm,
                         device.limits.max_warps_per_sm);
  }
  return {};
}

bool fits_more(const Device& device, const OccupancyInput& launch, const Occupancy& now) {
  return occupancy_of(device, launch).active_warps_per_sm > now.active_warps_per_sm;
}

std::string fewer_registers(const Device& device, OccupancyInput launch, const Occupancy& now) {
  while (launch.registers_per_thread > 1) {
    --launch.registers_per_thread;
    if (!fits_more(device, launch, now)) continue;
    return fmt::format("With {} registers a thread or fewer it would be {}.", launch.registers_per_thread,
                       percent_text(occupancy_of(device, launch).theoretical_percent));
  }
  return {};
}

std::string less_shared(const Device& device, OccupancyInput launch, const Occupancy& now) {
  uint32_t bytes = launch.shared_static_bytes + launch.shared_dynamic_bytes;
  const uint32_t step = std::max(1u, device.limits.shared_allocation_unit);
  launch.shared_static_bytes = 0;
  // A block gets a multiple of the allocation unit, including the reserved bytes. So the ends of the steps
  // are multiples too.
  bytes += device.limits.shared_reserved_bytes_per_block;
  for (bytes = bytes / step * step; bytes >= device.limits.shared_reserved_bytes_per_block; bytes -= step) {
    launch.shared_dynamic_bytes = bytes - device.limits.shared_reserved_bytes_per_block;
    if (fits_more(device, launch, now))
      return fmt::format("With {} a block or less it would be {}.", bytes_text(launch.shared_dynamic_bytes),
                         percent_text(occupancy_of(device, launch).theoretical_percent));
    if (bytes < step) break;
  }
  return {};
}

// The block size nearest to the current one with which more warps are resident.
std::string other_block(const Device& device, const OccupancyInput& launch, const Occupancy& now) {
  const uint32_t largest = device.limits.max_threads_per_block;
  const uint32_t today = static_cast<uint32_t>(ceil_div(launch.threads_per_block, warp_lanes)) * warp_lanes;
  for (uint32_t away = 0; away <= largest; away += warp_lanes) {
    for (const bool up : {true, false}) {
      if (!up && away >= today) continue;
      OccupancyInput other = launch;
      other.threads_per_block = up ? today + away : today - away;
      if (other.threads_per_block > largest || !fits_more(device, other, now)) continue;
      return fmt::format("Blocks of {} threads would give {}.", other.threads_per_block,
                         percent_text(occupancy_of(device, other).theoretical_percent));
    }
  }
  return {};
}

std::string advice_for(const Device& device, const OccupancyInput& launch, const Occupancy& o) {
  if (o.active_warps_per_sm >= device.limits.max_warps_per_sm) return {};
  const auto limits = [&](Limiter limiter) { return std::ranges::count(o.limiters, limiter) > 0; };
  std::string advice;
  if (limits(Limiter::registers)) advice = fewer_registers(device, launch, o);
  if (advice.empty() && limits(Limiter::shared_memory)) advice = less_shared(device, launch, o);
  if (advice.empty()) advice = other_block(device, launch, o);
  return advice;
}

std::string words_of(const Resources& resources) {
  const char* origin = resources.origin == ResourceOrigin::ptxas    ? "from NVIDIA's assembler"
                       : resources.origin == ResourceOrigin::driver ? "from the driver"
                                                                    : "an estimate";
  return fmt::format("{} registers a thread and {} of static shared memory a block, {}",
                     resources.registers_per_thread, bytes_text(resources.shared_static_bytes), origin);
}

void describe_achieved(const OccupancyViewInput& input, OccupancyView& view) {
  if (input.achieved) {
    view.achieved = fmt::format("≈ {} achieved: {} warps on average while an SM works",
                                percent_text(input.achieved->percent), significant(input.achieved->warps));
    view.achieved_formula = input.achieved->formula;
  } else if (input.will_run) {
    view.achieved = "What is achieved is known after the run";
  }
}

}  // namespace

std::string limiter_names(const std::vector<Limiter>& limiters) {
  std::string words;
  for (size_t i = 0; i < limiters.size(); ++i) {
    if (i > 0) words += i + 1 == limiters.size() ? " and " : ", ";
    words += name_of(limiters[i]);
  }
  return words;
}

void describe_occupancy(const OccupancyViewInput& input, const OccupancyInput& launch,
                        const Occupancy& occupancy, OccupancyView& view) {
  const Device& device = input.device;
  const uint32_t warps = occupancy.active_warps_per_sm, most = device.limits.max_warps_per_sm;
  const std::string percent = percent_text(occupancy.theoretical_percent);
  view.figure = (view.exact ? "" : "≤ ") + percent;
  view.residents =
      fmt::format("{}{} of {} warps are resident on each SM", view.exact ? "" : "at most ", warps, most);
  view.formula =
      fmt::format("occupancy = resident warps / warp slots of an SM = {} / {} = {}", warps, most, percent);
  if (!view.exact) {
    view.limiter = "The registers of this kernel are not known.";
    view.reason = fmt::format(
        "By {} alone it is {}. Registers and shared memory can only make it less; the assembler that knows "
        "them "
        "is not at hand, or has not answered yet.",
        limiter_names(occupancy.limiters), percent);
    return;
  }
  view.resources_words = words_of(*input.resources);
  if (occupancy.active_blocks_per_sm == 0) {
    view.limiter = "No block fits on an SM.";
    view.reason =
        fmt::format("One block alone takes more {} than an SM has.", limiter_names(occupancy.limiters));
    return;
  }
  const bool full = warps == most;
  // The grid may have fewer blocks than the SMs could hold.
  const uint64_t held = uint64_t{occupancy.active_blocks_per_sm} * device.sms;
  const bool too_few = input.shape.grid.count() < held;
  view.limiter = full && too_few
                     ? fmt::format("An SM could be full, but the grid has {} of the {} blocks for that.",
                                   thousands(input.shape.grid.count()), thousands(held))
                 : full ? "The SM is full: every warp slot is taken."
                        : capitalised(limiter_names(occupancy.limiters)) +
                              (occupancy.limiters == std::vector{Limiter::shared_memory} ? " runs out first."
                                                                                         : " run out first.");
  const bool by_warps = std::ranges::count(occupancy.limiters, Limiter::warps) > 0;
  view.reason =
      reason_of(full && by_warps ? Limiter::warps : occupancy.limiters.front(), device, launch, occupancy);
  view.advice = advice_for(device, launch, occupancy);
  describe_achieved(input, view);
}

void describe_refusal(const OccupancyViewInput& input, OccupancyView& view) {
  view.refused = true;
  view.limiter = "CUDA refuses this launch: nothing is resident.";
  view.reason = input.refusal ? input.refusal->cuda_error + ": " + input.refusal->message
                              : "A block needs at least one thread, and not more than an SM takes.";
}

}  // namespace warplens
