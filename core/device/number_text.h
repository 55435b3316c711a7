// Formats numbers for the sentences about launches.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/dim3.h"
#include "core/base/figures.h"

namespace warplens {

// "1 block", "40 blocks"
inline std::string counted(uint64_t value, const char* noun) {
  return thousands(value) + " " + noun + (value == 1 ? "" : "s");
}

// "256", "16 × 16", "8 × 8 × 4"
inline std::string extent_words(Dim3 extent) {
  std::string text = thousands(extent.x);
  if (extent.y != 1 || extent.z != 1) text += " × " + thousands(extent.y);
  if (extent.z != 1) text += " × " + thousands(extent.z);
  return text;
}

}  // namespace warplens
