#include <gmock/gmock.h>

#include "core/device/real_gpus.h"
#include "fixture.h"

namespace warplens {
namespace THIS_FILE {

using GpuDevices = Gpu;

TEST_F(GpuDevices, AreDescribedAsTheDriverSaysThem) {
  const RealGpus gpus = cuda::find_real_gpus();
  ASSERT_FALSE(gpus.devices.empty());
  EXPECT_EQ(gpus.devices.front().id, "cuda:0");
  EXPECT_FALSE(gpus.devices.front().is_virtual);
  EXPECT_EQ(find_device("", [&] { return gpus; })->id, "cuda:0");
  EXPECT_GT(device.sms, 0u);
  EXPECT_GE(device.limits.max_warps_per_sm, 32u);
  EXPECT_GT(device.memory_bytes.value_or(0), uint64_t{1} << 28);
}

// Where there is a device file of the same name, it says the same.
TEST_F(GpuDevices, AgreeWithTheirDeviceFile) {
  for (const Device& file : built_in_devices()) {
    if (file.name != device.name) continue;
    EXPECT_EQ(device.compute_capability, file.compute_capability);
    EXPECT_EQ(device.sms, file.sms);
    EXPECT_EQ(device.limits.max_warps_per_sm, file.limits.max_warps_per_sm);
    EXPECT_EQ(device.limits.max_blocks_per_sm, file.limits.max_blocks_per_sm);
    EXPECT_EQ(device.limits.registers_per_sm, file.limits.registers_per_sm);
    EXPECT_EQ(device.limits.shared_bytes_per_sm, file.limits.shared_bytes_per_sm);
    EXPECT_EQ(device.limits.shared_bytes_per_block_optin, file.limits.shared_bytes_per_block_optin);
    EXPECT_EQ(device.limits.shared_reserved_bytes_per_block, file.limits.shared_reserved_bytes_per_block);
    return;
  }
  GTEST_SKIP() << "there is no device file for " << device.name;
}

}  // namespace THIS_FILE
}  // namespace warplens
