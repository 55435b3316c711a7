// The devices of one program: several, as `--devices` and the environment of a program name them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/device/device.h"

namespace warplens {

// Names as find_device takes them, with commas between. Errors: those of find_device, also for an empty name.
Result<std::vector<Device>> find_devices(std::string_view names);

// The compute capability that all of them have at least, as 75.
uint32_t capability_of_all(const std::vector<Device>& devices);

}  // namespace warplens
