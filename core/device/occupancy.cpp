// Occupancy as cuda_occupancy.h of CUDA 12.9 computes it; the function named above each part is its twin.
// Partitioned global caching is off, as cudaFuncGetAttributes reports it; barriers do not limit, as every
// device has at least one per block.
#include "core/device/occupancy.h"

#include <algorithm>

namespace warplens {
namespace {

uint64_t round_up(uint64_t value, uint64_t unit) { return ceil_div(value, unit) * unit; }

uint64_t registers_of_warp(const DeviceLimits& limits, uint64_t registers_per_thread) {
  return round_up(registers_per_thread * warp_lanes, limits.register_allocation_unit);
}

uint32_t to_limit(uint64_t blocks) {
  return static_cast<uint32_t>(std::min<uint64_t>(blocks, no_block_limit));
}

// cudaOccMaxBlocksPerSMRegsLimit: registers are given to whole warps, and each sub-partition holds its own.
uint32_t register_limit(const DeviceLimits& limits, uint64_t warps, uint64_t registers_per_thread,
                        uint32_t sub_partitions) {
  if (registers_per_thread > limits.max_registers_per_thread) return 0;
  if (registers_per_thread == 0) return no_block_limit;
  if (registers_of_block(limits, warps, registers_per_thread, sub_partitions) > limits.registers_per_block)
    return 0;
  const uint64_t per_warp = registers_of_warp(limits, registers_per_thread);
  const uint64_t warps_per_partition = limits.registers_per_sm / sub_partitions / per_warp;
  return to_limit(warps_per_partition * sub_partitions / warps);
}

uint32_t register_limit(const Device& device, uint64_t warps, uint64_t registers_per_thread) {
  const DeviceLimits& limits = device.limits;
  const uint32_t limit = register_limit(limits, warps, registers_per_thread, limits.sub_partitions);
  // A kernel that no other Pascal GPU could run is refused on 6.0 too, although its SM has two sub-partitions
  // instead of four (cudaOccMaxActiveBlocksPerMultiprocessor).
  const bool is_gp100 = device.compute_capability == ComputeCapability{6, 0};
  if (is_gp100 && register_limit(limits, warps, registers_per_thread, 4) == 0) return 0;
  return limit;
}

// cudaOccMaxBlocksPerSMSmemLimit with the opt-in limit and the largest carve-out.
uint32_t shared_limit(const DeviceLimits& limits, uint64_t static_bytes, uint64_t dynamic_bytes) {
  const uint64_t reserved = limits.shared_reserved_bytes_per_block;
  const uint64_t allocated = round_up(static_bytes + dynamic_bytes + reserved, limits.shared_allocation_unit);
  if (allocated > limits.shared_bytes_per_block_optin + reserved) return 0;
  return allocated == 0 ? no_block_limit : to_limit(limits.shared_bytes_per_sm / allocated);
}

}  // namespace

uint64_t registers_of_block(const DeviceLimits& limits, uint64_t warps, uint64_t registers_per_thread,
                            uint32_t sub_partitions) {
  return registers_of_warp(limits, registers_per_thread) * round_up(warps, sub_partitions);
}

Occupancy occupancy_of(const Device& device, const OccupancyInput& input) {
  const DeviceLimits& limits = device.limits;
  Occupancy result;
  const uint64_t warps = ceil_div(input.threads_per_block, warp_lanes);
  if (warps == 0 || limits.sub_partitions == 0 || limits.shared_allocation_unit == 0) return result;

  result.limit_registers = register_limit(device, warps, input.registers_per_thread);
  result.limit_shared = shared_limit(limits, input.shared_static_bytes, input.shared_dynamic_bytes);
  const bool block_fits = input.threads_per_block <= limits.max_threads_per_block;
  result.limit_warps = block_fits ? to_limit(limits.max_warps_per_sm / warps) : 0;
  result.limit_blocks = limits.max_blocks_per_sm;

  const uint32_t active =
      std::min({result.limit_registers, result.limit_shared, result.limit_warps, result.limit_blocks});
  result.active_blocks_per_sm = active;
  result.active_warps_per_sm = static_cast<uint32_t>(active * warps);
  if (limits.max_warps_per_sm > 0) {
    result.theoretical_percent = 100.0 * result.active_warps_per_sm / limits.max_warps_per_sm;
  }
  const uint64_t resident = uint64_t{device.sms} * active;
  if (resident > 0) result.waves = static_cast<double>(input.blocks) / static_cast<double>(resident);

  if (result.limit_registers == active) result.limiters.push_back(Limiter::registers);
  if (result.limit_shared == active) result.limiters.push_back(Limiter::shared_memory);
  if (result.limit_warps == active) result.limiters.push_back(Limiter::warps);
  if (result.limit_blocks == active) result.limiters.push_back(Limiter::blocks);
  return result;
}

}  // namespace warplens
