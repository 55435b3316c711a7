// How much of each resource of an SM the resident blocks use, waste, and make unusable.
#include <fmt/format.h>

#include <algorithm>

#include "app/base/format.h"
#include "app/views/occupancy/resource_bars.h"

namespace warplens {

namespace {

uint64_t round_up(uint64_t value, uint64_t unit) { return unit == 0 ? value : ceil_div(value, unit) * unit; }

ResourceBar bar_of(Limiter resource, const char* name, uint64_t capacity, uint64_t blocks,
                   uint64_t asked_per_block, uint64_t given_per_block, uint64_t limit,
                   const Occupancy& occupancy) {
  ResourceBar bar;
  bar.resource = resource;
  bar.name = name;
  bar.capacity = capacity;
  bar.per_block = given_per_block;
  bar.used = blocks * asked_per_block;
  bar.wasted = blocks * (given_per_block - asked_per_block);
  bar.blocked = capacity - std::min(capacity, bar.used + bar.wasted);
  if (limit != no_block_limit) bar.limit = limit;
  bar.limits = std::ranges::count(occupancy.limiters, resource) > 0;
  return bar;
}

// In lanes, so that the empty lanes of a block's last warp show.
ResourceBar warp_bar(const Device& device, const OccupancyInput& launch, const Occupancy& o) {
  const uint64_t warps = ceil_div(launch.threads_per_block, warp_lanes);
  const uint64_t max_warps = device.limits.max_warps_per_sm;
  ResourceBar bar = bar_of(Limiter::warps, "Warps", max_warps * warp_lanes, o.active_blocks_per_sm,
                           launch.threads_per_block, warps * warp_lanes, o.limit_warps, o);
  bar.words = fmt::format("{} of {}", o.active_warps_per_sm, max_warps);
  bar.formula = fmt::format(
      "A block of {} threads is ⌈{} / 32⌉ = {}. By warps ⌊{} / {}⌋ = {} fit. Used: {} × {} threads = {} "
      "lanes of {}; empty lanes of last warps: {}.",
      with_separators(launch.threads_per_block), launch.threads_per_block, count_text(warps, "warp", "warps"),
      max_warps, warps, count_text(o.limit_warps, "block", "blocks"), o.active_blocks_per_sm,
      with_separators(launch.threads_per_block), with_separators(bar.used), with_separators(bar.capacity),
      with_separators(bar.wasted));
  return bar;
}

ResourceBar block_bar(const Device& device, const Occupancy& o) {
  ResourceBar bar = bar_of(Limiter::blocks, "Block slots", device.limits.max_blocks_per_sm,
                           o.active_blocks_per_sm, 1, 1, o.limit_blocks, o);
  bar.words = fmt::format("{} of {}", o.active_blocks_per_sm, device.limits.max_blocks_per_sm);
  bar.formula = fmt::format("An SM of this device holds at most {}, however small they are.",
                            count_text(device.limits.max_blocks_per_sm, "block", "blocks"));
  return bar;
}

ResourceBar register_bar(const Device& device, const OccupancyInput& launch, const Occupancy& o) {
  const DeviceLimits& limits = device.limits;
  const uint64_t warps = ceil_div(launch.threads_per_block, warp_lanes);
  const uint64_t per_warp =
      round_up(uint64_t{launch.registers_per_thread} * warp_lanes, limits.register_allocation_unit);
  ResourceBar bar = bar_of(Limiter::registers, "Registers", limits.registers_per_sm, o.active_blocks_per_sm,
                           uint64_t{launch.registers_per_thread} * launch.threads_per_block, per_warp * warps,
                           o.limit_registers, o);
  bar.words = fmt::format("{} of {}", with_separators(bar.used + bar.wasted), with_separators(bar.capacity));
  bar.formula = fmt::format(
      "A warp gets {} × 32 = {} registers, rounded up to a multiple of {}: {}. A block of {} takes {}; {} "
      "fit. Used: {}; rounded up or for empty lanes: {}.",
      launch.registers_per_thread, with_separators(uint64_t{launch.registers_per_thread} * warp_lanes),
      limits.register_allocation_unit, with_separators(per_warp), count_text(warps, "warp", "warps"),
      with_separators(bar.per_block),
      bar.limit ? count_text(*bar.limit, "block", "blocks") : std::string("any number"),
      with_separators(bar.used), with_separators(bar.wasted));
  return bar;
}

ResourceBar shared_bar(const Device& device, const OccupancyInput& launch, const Occupancy& o) {
  const DeviceLimits& limits = device.limits;
  const uint64_t asked = uint64_t{launch.shared_static_bytes} + launch.shared_dynamic_bytes;
  const uint64_t given =
      round_up(asked + limits.shared_reserved_bytes_per_block, limits.shared_allocation_unit);
  ResourceBar bar = bar_of(Limiter::shared_memory, "Shared memory", limits.shared_bytes_per_sm,
                           o.active_blocks_per_sm, asked, given, o.limit_shared, o);
  bar.words = fmt::format("{} of {}", bytes_text(bar.used + bar.wasted), bytes_text(bar.capacity));
  bar.formula = fmt::format(
      "A block asks for {} static + {} dynamic bytes; with {} that the system reserves, rounded up to a "
      "multiple of {}, it gets {}. {} fit.",
      with_separators(launch.shared_static_bytes), with_separators(launch.shared_dynamic_bytes),
      with_separators(limits.shared_reserved_bytes_per_block), limits.shared_allocation_unit,
      with_separators(given), bar.limit ? count_text(*bar.limit, "block", "blocks") : "Any number of blocks");
  return bar;
}

}  // namespace

std::vector<ResourceBar> resource_bars(const Device& device, const OccupancyInput& launch,
                                       const Occupancy& occupancy, bool resources_known) {
  std::vector<ResourceBar> bars = {warp_bar(device, launch, occupancy),
                                   register_bar(device, launch, occupancy),
                                   shared_bar(device, launch, occupancy), block_bar(device, occupancy)};
  if (resources_known) return bars;
  for (ResourceBar& bar : bars) {
    if (bar.resource != Limiter::registers && bar.resource != Limiter::shared_memory) continue;
    bar.known = bar.limits = false;
    bar.used = bar.wasted = bar.blocked = bar.per_block = 0;
    bar.limit.reset();
    bar.words = "not known";
    bar.formula = "Only the assembler (ptxas) knows how many registers this kernel needs on this device.";
  }
  return bars;
}

}  // namespace warplens
