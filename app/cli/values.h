// What people type as values: extents, amounts, name=value. Errors name the option.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/dim3.h"
#include "core/base/result.h"
#include "core/device/device.h"

namespace warplens {

// "256", "16x16", "8,8,4".
Result<Dim3> parse_extent(std::string_view option, std::string_view text);
// A whole number within [minimum, maximum].
Result<uint64_t> parse_count(std::string_view option, std::string_view text, uint64_t minimum,
                             uint64_t maximum);
// "name=value", the value any finite number.
Result<std::pair<std::string, double>> parse_setting(std::string_view option, std::string_view text);

// "cuda:0" or a part of a virtual GPU's name; empty: the default.
Result<Device> choose_device(const std::string& name);

}  // namespace warplens
