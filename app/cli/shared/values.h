// Parses values of options: extents, amounts, name=value. Errors name the option.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/dim3.h"
#include "core/base/result.h"

namespace warplens {

// "256", "16x16", "8,8,4".
Result<Dim3> parse_extent(std::string_view option, std::string_view text);
// A place: "19,7" or "3", counted from 0.
Result<Dim3> parse_place(std::string_view option, const std::string& text);
// A whole number within [minimum, maximum].
Result<uint64_t> parse_count(std::string_view option, std::string_view text, uint64_t minimum,
                             uint64_t maximum);
// "name=value", where the value is any finite number.
Result<std::pair<std::string, double>> parse_setting(std::string_view option, std::string_view text);

}  // namespace warplens
