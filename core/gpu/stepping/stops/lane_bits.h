// Values of lanes, and names for them, as plain values.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace warplens::stepping {

// Names that a caller gives to registers or parameters: "sum" → "%f3".
using Names = std::map<std::string, std::string, std::less<>>;

// The bits of one lane of a register's component, low half first.
struct LaneBits {
  uint64_t low = 0, high = 0;
  bool operator==(const LaneBits&) const = default;
};

}  // namespace warplens::stepping
