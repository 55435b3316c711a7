// The functions of CUDA's runtime for kernels, which launch kernels among others.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warplens::program {

enum class DeviceCall : uint8_t {
#define DEVICE_CALL(name, arguments) name,
#include "core/program/device_calls.def"
#undef DEVICE_CALL
};

struct DeviceCallShape {
  DeviceCall call{};
  uint32_t arguments = 0;
};

// Of a function without a body. Empty if it is none of them.
std::optional<DeviceCallShape> device_call(std::string_view name);

}  // namespace warplens::program
