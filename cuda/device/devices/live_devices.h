// The GPUs of this machine as device descriptions, like those of assets/devices, for occupancy, launch
// limits and the time model.
#pragma once

#include <vector>

#include "core/device/device.h"
#include "cuda/device/driver/driver.h"

namespace warplens::cuda {

// Describes cuda:<ordinal>, as the driver reports it. Numbers that the driver does not report (lanes of an
// SM, size of its L1) are from a device file with the same name, or from those with the same compute
// capability if they all agree. Otherwise they stay empty.
Result<Device> describe_device(const Driver& driver, int ordinal);
// All devices, in the driver's order.
Result<std::vector<Device>> describe_devices(const Driver& driver);

// 0 for "cuda:0"; empty for anything else.
std::optional<int> ordinal_of(std::string_view id);

}  // namespace warplens::cuda
