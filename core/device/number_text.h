// Formats numbers for the sentences of this folder.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/dim3.h"

namespace warplens {

// 2147483648 → "2,147,483,648"
inline std::string grouped(uint64_t value) {
  std::string digits = std::to_string(value);
  for (size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

// "1 block", "40 blocks"
inline std::string counted(uint64_t value, const char* noun) {
  return grouped(value) + " " + noun + (value == 1 ? "" : "s");
}

// "256", "16 × 16", "8 × 8 × 4"
inline std::string extent_words(Dim3 extent) {
  std::string text = grouped(extent.x);
  if (extent.y != 1 || extent.z != 1) text += " × " + grouped(extent.y);
  if (extent.z != 1) text += " × " + grouped(extent.z);
  return text;
}

}  // namespace warplens
