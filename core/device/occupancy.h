// How many blocks and warps of a kernel are resident on one SM, and what limits them. Follows NVIDIA's
// cuda_occupancy.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/device/device.h"

namespace warplens {

enum class ResourceOrigin : uint8_t { ptxas, driver, estimate };

// The resources that the compiler gave a kernel on one device.
struct Resources {
  uint32_t registers_per_thread = 0;
  uint32_t shared_static_bytes = 0;
  uint32_t local_bytes = 0;  // stack frame, per thread
  uint32_t spill_store_bytes = 0;
  uint32_t spill_load_bytes = 0;
  uint32_t constant_bytes = 0;  // of the module's __constant__ variables
  uint32_t barriers = 0;        // of a block that it uses (bar); 0 from a driver, which does not tell it
  ResourceOrigin origin = ResourceOrigin::estimate;
};

enum class Limiter : uint8_t { registers, shared_memory, warps, blocks };

// The limit by a resource that the kernel does not use. It is INT_MAX, as in cuda_occupancy.h. Show it as
// "no limit".
constexpr uint32_t no_block_limit = 2147483647;

struct Occupancy {
  uint32_t limit_registers = 0, limit_shared = 0, limit_warps = 0,
           limit_blocks = 0;  // blocks per SM by each resource
  uint32_t active_blocks_per_sm = 0;
  uint32_t active_warps_per_sm = 0;
  double theoretical_percent = 0;  // active warps / maximum warps of the SM
  double waves = 0;                // blocks / (SMs × active blocks per SM), not rounded; 0 if no block fits
  std::vector<Limiter> limiters;   // every resource at the minimum
};

struct OccupancyInput {
  uint32_t threads_per_block = 0;
  uint32_t registers_per_thread = 0;
  uint32_t shared_static_bytes = 0;
  uint32_t shared_dynamic_bytes = 0;
  uint64_t blocks = 0;  // of the whole grid, for the waves
};

// Registers that a block takes: each warp's in units, and warps as if all sub-partitions of the SM got the
// same number (cudaOccMaxBlocksPerSMRegsLimit).
uint64_t registers_of_block(const DeviceLimits& limits, uint64_t warps, uint64_t registers_per_thread,
                            uint32_t sub_partitions);

// limit_shared uses the device's largest carve-out.
Occupancy occupancy_of(const Device& device, const OccupancyInput& input);

constexpr const char* to_string(Limiter limiter) {
  switch (limiter) {
    case Limiter::registers:
      return "registers";
    case Limiter::shared_memory:
      return "shared_memory";
    case Limiter::warps:
      return "warps";
    case Limiter::blocks:
      return "blocks";
  }
  return "";
}

constexpr const char* to_string(ResourceOrigin origin) {
  switch (origin) {
    case ResourceOrigin::ptxas:
      return "ptxas";
    case ResourceOrigin::driver:
      return "driver";
    case ResourceOrigin::estimate:
      return "estimate";
  }
  return "";
}

}  // namespace warplens
