// Our occupancy against NVIDIA's own cuda_occupancy.h, over generated cases for every compute capability.
#include <gtest/gtest.h>

#include <random>

#include "core/device/occupancy.h"

#if __has_include("cuda_occupancy.h")
#include "cuda_occupancy.h"
#define WARPLENS_HAS_CUDA_OCCUPANCY 1
#endif

namespace warplens {
namespace THIS_FILE {

#ifdef WARPLENS_HAS_CUDA_OCCUPANCY

constexpr ComputeCapability capabilities[] = {{5, 0},  {5, 2},  {5, 3},  {6, 0},  {6, 1}, {6, 2}, {7, 0},
                                              {7, 2},  {7, 5},  {8, 0},  {8, 6},  {8, 7}, {8, 9}, {9, 0},
                                              {10, 0}, {10, 1}, {10, 3}, {12, 0}, {12, 1}};
constexpr int cases_per_capability = 4000;

Device device_of(ComputeCapability capability) {
  Device device;
  device.name = "test";
  device.compute_capability = capability;
  device.sms = 10;
  device.limits = limits_of(capability).value();
  return device;
}

cudaOccDeviceProp properties_of(const Device& device) {
  const DeviceLimits& limits = device.limits;
  cudaOccDeviceProp properties;
  properties.computeMajor = static_cast<int>(device.compute_capability.major);
  properties.computeMinor = static_cast<int>(device.compute_capability.minor);
  properties.maxThreadsPerBlock = static_cast<int>(limits.max_threads_per_block);
  properties.maxThreadsPerMultiprocessor = static_cast<int>(limits.max_warps_per_sm * warp_lanes);
  properties.regsPerBlock = static_cast<int>(limits.registers_per_block);
  properties.regsPerMultiprocessor = static_cast<int>(limits.registers_per_sm);
  properties.warpSize = warp_lanes;
  properties.sharedMemPerBlock = limits.shared_bytes_per_block;
  properties.sharedMemPerMultiprocessor = limits.shared_bytes_per_sm;
  properties.numSms = static_cast<int>(device.sms);
  properties.sharedMemPerBlockOptin = limits.shared_bytes_per_block_optin;
  properties.reservedSharedMemPerBlock = limits.shared_reserved_bytes_per_block;
  return properties;
}

// The kernel opts in to exactly what it is launched with, and leaves the carve-out to the driver or asks for
// all of it; both mean the largest.
cudaOccResult nvidia_says(const Device& device, const OccupancyInput& input, int carveout) {
  const cudaOccDeviceProp properties = properties_of(device);
  cudaOccFuncAttributes attributes;
  attributes.maxThreadsPerBlock = 1024;
  attributes.numRegs = static_cast<int>(input.registers_per_thread);
  attributes.sharedSizeBytes = input.shared_static_bytes;
  attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  attributes.maxDynamicSharedSizeBytes = input.shared_dynamic_bytes;
  attributes.numBlockBarriers = 1;
  cudaOccDeviceState state;
  state.carveoutConfig = carveout;
  cudaOccResult result{};
  const cudaOccError status = cudaOccMaxActiveBlocksPerMultiprocessor(
      &result, &properties, &attributes, &state, static_cast<int>(input.threads_per_block),
      input.shared_dynamic_bytes);
  EXPECT_EQ(status, CUDA_OCC_SUCCESS);
  return result;
}

unsigned factors_of(const Occupancy& occupancy) {
  unsigned factors = 0;
  for (const Limiter limiter : occupancy.limiters) {
    switch (limiter) {
      case Limiter::registers:
        factors |= OCC_LIMIT_REGISTERS;
        break;
      case Limiter::shared_memory:
        factors |= OCC_LIMIT_SHARED_MEMORY;
        break;
      case Limiter::warps:
        factors |= OCC_LIMIT_WARPS;
        break;
      case Limiter::blocks:
        factors |= OCC_LIMIT_BLOCKS;
        break;
    }
  }
  return factors;
}

void expect_agreement(const Device& device, const OccupancyInput& input, int carveout) {
  SCOPED_TRACE(testing::Message() << "cc " << device.compute_capability.number() << ", "
                                  << input.threads_per_block << " threads, " << input.registers_per_thread
                                  << " registers, " << input.shared_static_bytes << " + "
                                  << input.shared_dynamic_bytes << " shared bytes");
  const cudaOccResult theirs = nvidia_says(device, input, carveout);
  const Occupancy ours = occupancy_of(device, input);
  EXPECT_EQ(int(ours.limit_registers), theirs.blockLimitRegs);
  EXPECT_EQ(int(ours.limit_shared), theirs.blockLimitSharedMem);
  EXPECT_EQ(int(ours.limit_warps), theirs.blockLimitWarps);
  EXPECT_EQ(int(ours.limit_blocks), theirs.blockLimitBlocks);
  EXPECT_EQ(int(ours.active_blocks_per_sm), theirs.activeBlocksPerMultiprocessor);
  // From 9.0 on the header also counts barriers, which one barrier a block cannot make the limit.
  EXPECT_EQ(factors_of(ours), theirs.limitingFactors & ~unsigned{OCC_LIMIT_BARRIERS});
}

// Half of the cases are on or next to a boundary, where rounding decides.
OccupancyInput random_input(const DeviceLimits& limits, std::mt19937& random) {
  const auto below = [&](uint32_t end) { return static_cast<uint32_t>(random() % end); };
  const auto near = [&](uint32_t value, uint32_t unit) {
    return static_cast<uint32_t>(std::max<int64_t>(0, int64_t{value} / unit * unit + int64_t{below(3)} - 1));
  };
  OccupancyInput input;
  input.threads_per_block = 1 + below(1100);
  input.registers_per_thread = below(256);
  const uint32_t most = limits.shared_bytes_per_block_optin;
  if (below(4) != 0) {
    input.shared_static_bytes = below(49153);
    input.shared_dynamic_bytes = below(most + 2048);
  }
  if (below(3) == 0) input.shared_static_bytes = 0;
  if (below(2) == 0) {
    input.threads_per_block = std::max(1u, near(input.threads_per_block, 32));
    input.registers_per_thread = std::min(255u, near(input.registers_per_thread, 8));
    input.shared_dynamic_bytes = near(input.shared_dynamic_bytes, 1024);
  }
  return input;
}

TEST(CudaOccupancy, AgreesOverGeneratedCases) {
  std::mt19937 random(20240229);
  for (const ComputeCapability capability : capabilities) {
    const Device device = device_of(capability);
    for (int i = 0; i < cases_per_capability && !HasFailure(); ++i) {
      const int carveout = i % 2 == 0 ? SHAREDMEM_CARVEOUT_DEFAULT : SHAREDMEM_CARVEOUT_MAX_SHARED;
      expect_agreement(device, random_input(device.limits, random), carveout);
    }
  }
}

TEST(CudaOccupancy, AgreesForEveryBlockSizeAndRegisterCount) {
  for (const ComputeCapability capability : capabilities) {
    const Device device = device_of(capability);
    for (uint32_t registers = 0; registers <= 255 && !HasFailure(); ++registers) {
      const uint32_t threads = 1 + registers * 37 % 1024;
      for (const uint32_t block : {threads, 32u, 128u, 256u, 1024u}) {
        expect_agreement(device, {block, registers, 0, 0, 0}, SHAREDMEM_CARVEOUT_DEFAULT);
      }
    }
    for (uint32_t block = 1; block <= 1024 && !HasFailure(); ++block) {
      expect_agreement(device, {block, 32, 0, 0, 0}, SHAREDMEM_CARVEOUT_DEFAULT);
    }
  }
}

TEST(CudaOccupancy, AgreesAtEverySharedMemoryBoundary) {
  for (const ComputeCapability capability : capabilities) {
    const Device device = device_of(capability);
    const uint32_t most = device.limits.shared_bytes_per_block_optin;
    for (uint32_t bytes = 0; bytes <= most + 512 && !HasFailure(); bytes += 64) {
      for (const uint32_t offset : {0u, 1u, 63u}) {
        expect_agreement(device, {64, 16, 0, bytes + offset, 0}, SHAREDMEM_CARVEOUT_MAX_SHARED);
      }
    }
  }
}

// Results of NVIDIA's header itself, so that the table is not only compared with itself.
TEST(CudaOccupancy, TheTableAgreesWithWhatTheHeaderKnows) {
  for (const ComputeCapability capability : capabilities) {
    SCOPED_TRACE(capability.number());
    const Device device = device_of(capability);
    const cudaOccDeviceProp properties = properties_of(device);
    int value = 0;
    EXPECT_EQ(cudaOccMaxBlocksPerMultiprocessor(&value, &properties), CUDA_OCC_SUCCESS);
    EXPECT_EQ(int(device.limits.max_blocks_per_sm), value);
    EXPECT_EQ(cudaOccSubPartitionsPerMultiprocessor(&value, &properties), CUDA_OCC_SUCCESS);
    EXPECT_EQ(int(device.limits.sub_partitions), value);
    EXPECT_EQ(cudaOccSMemAllocationGranularity(&value, &properties), CUDA_OCC_SUCCESS);
    EXPECT_EQ(int(device.limits.shared_allocation_unit), value);
    EXPECT_EQ(cudaOccRegAllocationGranularity(&value, &properties), CUDA_OCC_SUCCESS);
    EXPECT_EQ(int(device.limits.register_allocation_unit), value);
    if (capability.major < 7) continue;
    size_t carveout = device.limits.shared_bytes_per_sm;
    EXPECT_EQ(cudaOccAlignUpShmemSizeVoltaPlus(&carveout, &properties), CUDA_OCC_SUCCESS);
    EXPECT_EQ(carveout, device.limits.shared_bytes_per_sm);
    ++carveout;
    EXPECT_EQ(cudaOccAlignUpShmemSizeVoltaPlus(&carveout, &properties), CUDA_OCC_ERROR_INVALID_INPUT);
  }
}

#else

TEST(CudaOccupancy, AgreesOverGeneratedCases) {
  GTEST_SKIP() << "cuda_occupancy.h was not found: run tools/setup, or set WARPLENS_CUDA_INCLUDE_DIRS";
}

#endif

}  // namespace THIS_FILE
}  // namespace warplens
