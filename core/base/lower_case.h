// Words that are the same in large and in small letters: names of kernels, endings of files.
#pragma once

#include <string>
#include <string_view>

namespace warplens {

// A to Z become a to z, wherever the program runs; all other bytes stay, as those of UTF-8.
inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

}  // namespace warplens
