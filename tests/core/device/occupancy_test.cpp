#include "core/device/occupancy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens {
namespace THIS_FILE {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

Device device_named(const char* name) {
  auto device = find_device(name);
  EXPECT_TRUE(device.ok()) << device.error().message;
  return device.ok() ? *device : Device{};
}

uint32_t blocks_on(const Device& device, uint32_t threads, uint32_t registers, uint32_t shared) {
  return occupancy_of(device, {threads, registers, shared, 0, 0}).active_blocks_per_sm;
}

// 40 registers: 1,280 a warp, 12 warps in each sub-partition's 16,384, 48 of them are 6 blocks of 8 warps.
TEST(Occupancy, OfA256ThreadBlockOnATeslaT4) {
  const Occupancy occupancy = occupancy_of(device_named("t4"), {256, 40, 0, 0, 40});
  EXPECT_EQ(occupancy.limit_registers, 6u);
  EXPECT_EQ(occupancy.limit_warps, 4u);
  EXPECT_EQ(occupancy.limit_blocks, 16u);
  EXPECT_EQ(occupancy.limit_shared, no_block_limit);
  EXPECT_EQ(occupancy.active_blocks_per_sm, 4u);
  EXPECT_EQ(occupancy.active_warps_per_sm, 32u);
  EXPECT_DOUBLE_EQ(occupancy.theoretical_percent, 100);
  EXPECT_DOUBLE_EQ(occupancy.waves, 40.0 / (40 * 4));
  EXPECT_THAT(occupancy.limiters, ElementsAre(Limiter::warps));
}

// What cudaOccupancyMaxActiveBlocksPerMultiprocessor answered on an NVIDIA H200 (driver of CUDA 13.0).
TEST(Occupancy, IsWhatTheDriverOfAnH200Says) {
  const Device h200 = device_named("NVIDIA H200");
  struct Row {
    uint32_t threads, small, many_registers, much_shared;
  };
  constexpr Row rows[] = {{32, 32, 12, 5}, {64, 32, 6, 5}, {96, 21, 4, 5}, {128, 16, 3, 5},
                          {256, 8, 1, 5},  {512, 4, 0, 4}, {768, 2, 0, 2}, {1024, 2, 0, 2}};
  for (const Row& row : rows) {
    SCOPED_TRACE(row.threads);
    EXPECT_EQ(blocks_on(h200, row.threads, 8, 0), row.small);
    EXPECT_EQ(blocks_on(h200, row.threads, 168, 0), row.many_registers);
    EXPECT_EQ(blocks_on(h200, row.threads, 10, 40960), row.much_shared);
  }
}

TEST(Occupancy, NamesEveryResourceAtTheMinimum) {
  // 1,024 threads: 32 warps fill an SM of a T4; 64 registers fill it too.
  const Occupancy both = occupancy_of(device_named("t4"), {1024, 64, 0, 0, 0});
  EXPECT_EQ(both.active_blocks_per_sm, 1u);
  EXPECT_THAT(both.limiters, UnorderedElementsAre(Limiter::registers, Limiter::warps));
  const Occupancy shared = occupancy_of(device_named("t4"), {64, 16, 16384, 0, 0});
  EXPECT_THAT(shared.limiters, ElementsAre(Limiter::shared_memory));
  EXPECT_EQ(shared.active_blocks_per_sm, 4u);
}

TEST(Occupancy, CountsTheReservedKilobyteFromAmpereOn) {
  // 100 KiB an SM: 10 blocks of 9 KiB with their reserved KiB each, 11 without.
  EXPECT_EQ(occupancy_of(device_named("3060"), {64, 16, 9216, 0, 0}).limit_shared, 10u);
  EXPECT_EQ(occupancy_of(device_named("3060"), {64, 16, 0, 0, 0}).limit_shared, 100u);
}

TEST(Occupancy, OfWhatDoesNotFitIsZero) {
  const Device device = device_named("3060");
  EXPECT_EQ(occupancy_of(device, {1025, 16, 0, 0, 5}).active_blocks_per_sm, 0u);
  EXPECT_EQ(occupancy_of(device, {1024, 65, 0, 0, 5}).active_blocks_per_sm, 0u);
  EXPECT_EQ(occupancy_of(device, {64, 256, 0, 0, 5}).active_blocks_per_sm, 0u);
  EXPECT_EQ(occupancy_of(device, {64, 16, 0, 101377, 5}).active_blocks_per_sm, 0u);
  EXPECT_EQ(occupancy_of(device, {64, 16, 0, 101376, 5}).active_blocks_per_sm, 1u);
  EXPECT_DOUBLE_EQ(occupancy_of(device, {1025, 16, 0, 0, 5}).waves, 0);
  // Sums that pass 32 bits.
  EXPECT_EQ(occupancy_of(device, {64, 16, UINT32_MAX, UINT32_MAX, 5}).active_blocks_per_sm, 0u);
  EXPECT_EQ(occupancy_of(device, {UINT32_MAX, UINT32_MAX, 0, 0, 5}).active_blocks_per_sm, 0u);
  EXPECT_EQ(occupancy_of(device, {0, 16, 0, 0, 5}).active_blocks_per_sm, 0u);
  EXPECT_EQ(occupancy_of(Device{}, {64, 16, 0, 0, 5}).active_blocks_per_sm, 0u);
}

TEST(Occupancy, OfTheTeachingGpuFillsItWithEightWarps) {
  const Device device = device_named("teaching");
  const Occupancy occupancy = occupancy_of(device, {64, 32, 0, 0, 9});
  EXPECT_EQ(occupancy.active_blocks_per_sm, 4u);
  EXPECT_EQ(occupancy.active_warps_per_sm, 8u);
  EXPECT_DOUBLE_EQ(occupancy.theoretical_percent, 100);
  EXPECT_DOUBLE_EQ(occupancy.waves, 9.0 / 8);
  EXPECT_THAT(occupancy.limiters, UnorderedElementsAre(Limiter::warps, Limiter::blocks));
}

TEST(Limits, AreKnownFrom50To121AndNoOther) {
  for (uint32_t major = 0; major <= 14; ++major) {
    for (uint32_t minor = 0; minor <= 9; ++minor) {
      const auto limits = limits_of({major, minor});
      if (!limits) continue;
      EXPECT_GE(limits->max_warps_per_sm * warp_lanes, limits->max_threads_per_block);
      EXPECT_LE(limits->registers_per_block, limits->registers_per_sm);
      EXPECT_LE(limits->shared_bytes_per_block_optin + limits->shared_reserved_bytes_per_block,
                limits->shared_bytes_per_sm);
    }
  }
  EXPECT_FALSE(limits_of({4, 9}));
  EXPECT_FALSE(limits_of({9, 1}));
  EXPECT_FALSE(limits_of({13, 0}));
  EXPECT_FALSE(limits_of({0, 0}));
}

}  // namespace THIS_FILE
}  // namespace warplens
