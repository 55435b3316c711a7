// Limits by compute capability. The sources of each column:
//   warps, blocks, registers, shared memory per SM and opt-in shared memory per block
//       CUDA C++ Programming Guide 12.9, "Technical Specifications per Compute Capability"; 10.1 (Thor, 11.0
// since CUDA 13) from the guide of CUDA 13. The blocks are also in cuda_occupancy.h of CUDA 12.9
//       (cudaOccMaxBlocksPerMultiprocessor).
//   reserved   the guide, "CUDA reserves 1 KB of shared memory per thread block" from 8.0 on
//   unit       cuda_occupancy.h, cudaOccSMemAllocationGranularity
//   parts      cuda_occupancy.h, cudaOccSubPartitionsPerMultiprocessor
// The register allocation unit is 256 in all of them (cudaOccRegAllocationGranularity), and a block's warps
// are counted in multiples of the sub-partitions (cudaOccMaxBlocksPerSMRegsLimit).
#include <algorithm>
#include <array>

#include "core/device/device.h"

namespace warplens {
namespace {

struct Row {
  ComputeCapability capability;
  uint32_t warps, blocks;
  uint32_t registers_per_block_k;            // 1024 registers; every SM has 64 of these
  uint32_t shared_per_sm_k, shared_optin_k;  // KiB
  uint32_t reserved, unit, parts;            // bytes, bytes, sub-partitions
};

constexpr std::array rows{
    //   cc      warps blocks regs  shared optin  reserved unit parts
    Row{{5, 0}, 64, 32, 64, 64, 48, 0, 256, 4},       //
    Row{{5, 2}, 64, 32, 64, 96, 48, 0, 256, 4},       //
    Row{{5, 3}, 64, 32, 32, 64, 48, 0, 256, 4},       //
    Row{{6, 0}, 64, 32, 64, 64, 48, 0, 256, 2},       //
    Row{{6, 1}, 64, 32, 64, 96, 48, 0, 256, 4},       //
    Row{{6, 2}, 64, 32, 32, 64, 48, 0, 256, 4},       //
    Row{{7, 0}, 64, 32, 64, 96, 96, 0, 256, 4},       //
    Row{{7, 2}, 64, 32, 64, 96, 96, 0, 256, 4},       //
    Row{{7, 5}, 32, 16, 64, 64, 64, 0, 256, 4},       //
    Row{{8, 0}, 64, 32, 64, 164, 163, 1024, 128, 4},  //
    Row{{8, 6}, 48, 16, 64, 100, 99, 1024, 128, 4},   //
    Row{{8, 7}, 48, 16, 64, 164, 163, 1024, 128, 4},  //
    Row{{8, 9}, 48, 24, 64, 100, 99, 1024, 128, 4},   //
    Row{{9, 0}, 64, 32, 64, 228, 227, 1024, 128, 4},  //
    Row{{10, 0}, 64, 32, 64, 228, 227, 1024, 128, 4}, Row{{10, 1}, 48, 24, 64, 228, 227, 1024, 128, 4},
    Row{{10, 3}, 64, 32, 64, 228, 227, 1024, 128, 4}, Row{{12, 0}, 48, 24, 64, 100, 99, 1024, 128, 4},
    Row{{12, 1}, 48, 24, 64, 100, 99, 1024, 128, 4},
};
static_assert(std::is_sorted(rows.begin(), rows.end(),
                             [](const Row& a, const Row& b) { return a.capability < b.capability; }));

}  // namespace

std::optional<DeviceLimits> limits_of(ComputeCapability capability) {
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [&](const Row& candidate) { return candidate.capability == capability; });
  if (row == rows.end()) return std::nullopt;
  DeviceLimits limits;
  limits.max_warps_per_sm = row->warps;
  limits.max_blocks_per_sm = row->blocks;
  limits.registers_per_sm = 64 * 1024;
  limits.registers_per_block = row->registers_per_block_k * 1024;
  limits.shared_bytes_per_sm = row->shared_per_sm_k * 1024;
  limits.shared_bytes_per_block_optin = row->shared_optin_k * 1024;
  limits.shared_reserved_bytes_per_block = row->reserved;
  limits.shared_allocation_unit = row->unit;
  limits.sub_partitions = row->parts;
  limits.warp_allocation_granularity = row->parts;
  return limits;
}

}  // namespace warplens
