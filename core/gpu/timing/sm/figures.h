// The rates and latencies of one SM, in cycles, from a device's calibration.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/device/device.h"
#include "core/gpu/timing/calibration.h"
#include "core/launch/instruction_mix.h"

namespace warplens::sm {

// The units of a quarter of an SM for arithmetic, and the shared ones.
enum class Pipe : uint8_t { none, alu, fma, fma_lite, fp64, fp16, tensor, special, mio, registers };
constexpr size_t pipes = 10;

struct Figures {
  uint32_t schedulers = 4;
  // Cycles that an instruction occupies its unit; 0: the device has no such unit.
  std::array<double, pipes> interval{};
  // Of an instruction, or of a sequence of them: until its result is there, the machine instructions that it
  // consists of, and the cycles for which each occupies its unit; 0: as usual for the unit.
  std::array<double, issue_units> latency{}, slots{}, sequence_interval{};
  double to_branch = 13;                         // from a comparison to the branch that needs it
  double after_branch = 5, resolves_branch = 3;  // until the next instruction
  double parameter_latency = 41, special_register_latency = 22;
  // Cycles for which an instruction occupies its scheduler's port to the queue: a parameter, and others; and
  // the shared units.
  double parameter_port = 8, port = 4, parameter_cycles = 2.5;
  double uniform_latency = 8;   // a 32-bit parameter
  double address_latency = 6;   // a product and sum with 64 bits
  double after_queued = 8;      // at least, until an instruction that needs the result
  double between_accesses = 2;  // two accesses of one warp
  // Instructions between a scheduler and the shared units: accesses to memory, and all others. Behind them,
  // accesses to memory of all schedulers wait in order for L1.
  uint32_t memory_queue = 12, queue = 12, l1_queue = 40;
  double shared_latency = 23, l1_latency = 38, l2_latency = 289, memory_latency = 674, atomic_latency = 300;
  double l1_lines = 1, l1_sectors = 4;                    // a cycle
  double l2_load_sectors = 1, memory_load_sectors = 0.4;  // a cycle and SM, all SMs at once
  double l2_store_sectors = 0.5, l2_partial_sectors = 0.4, l2_scattered_sectors = 0.3,
         memory_store_sectors = 0.4;
  double store_buffer = 150;  // sectors of stores on their way to L2, beyond the SM
  // From the issue of a block's last warp to the next instruction, and between two warps of the block.
  double barrier = 14, barrier_interval = 2;
  double block_interval = 150;  // between the starts of two blocks on an SM that was full, all SMs at once
  double warp_interval = 4;     // between the starts of two warps on an SM
  double clock_mhz = 1;
};

Figures figures_of(const Device& device, const Calibration& calibration, uint64_t blocks, uint64_t threads);

}  // namespace warplens::sm
