// Reads a compute capability as people write it.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

#include "core/base/text.h"
#include "core/device/device.h"

namespace warplens {

// "8.6": two numbers of one or two digits.
inline std::optional<ComputeCapability> capability_in(std::string_view text) {
  const auto read = [](std::string_view part, uint32_t& number) {
    return is_digits(part) && part.size() <= 2 &&
           std::from_chars(part.data(), part.data() + part.size(), number).ec == std::errc();
  };
  const size_t point = text.find('.');
  ComputeCapability capability;
  if (point == text.npos || !read(text.substr(0, point), capability.major) ||
      !read(text.substr(point + 1), capability.minor))
    return std::nullopt;
  return capability;
}

}  // namespace warplens
