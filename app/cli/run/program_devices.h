// The devices that a program finds (warplens program --device, --devices).
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/device/device.h"
#include "core/device/real_gpus.h"

namespace warplens {

// `device`: the name of one; empty for an RTX 3060. `devices`: how many of it, or names with commas between
// them.
Result<std::vector<Device>> program_devices(const std::string& device, const std::string& devices,
                                            const FindRealGpus& real_gpus);

}  // namespace warplens
