// Compares words without regard to case: names of kernels, file extensions.
#pragma once

#include <string>
#include <string_view>

namespace warplens {

// A to Z become a to z, whatever the locale. All other bytes stay as they are, for example those of UTF-8.
inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

}  // namespace warplens
