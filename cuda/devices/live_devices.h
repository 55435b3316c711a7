// The GPUs of this machine as device descriptions, like those of assets/devices: so occupancy, launch limits
// and the time model know them.
#pragma once

#include <vector>

#include "core/device/device.h"
#include "cuda/driver/driver.h"

namespace warplens::cuda {

// What the driver says of cuda:<ordinal>. What it does not say (lanes of an SM, the size of its L1) is that
// of a device file of the same name, or of the same compute capability where all of those agree; else it
// stays empty.
Result<Device> describe_device(const Driver& driver, int ordinal);
// All of them, in the driver's order.
Result<std::vector<Device>> describe_devices(const Driver& driver);

// 0 for "cuda:0"; empty for anything else.
std::optional<int> ordinal_of(std::string_view id);

}  // namespace warplens::cuda
