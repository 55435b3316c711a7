// Lines of a text, counted from 1, as places in a source name them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/text.h"

namespace warplens {

// The line without its line end. Empty after the last line.
inline std::string_view line_of(std::string_view text, uint32_t line) {
  for (uint32_t at = 1; !text.empty(); ++at) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (at == line) return text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {};
}

// All lines without their line ends. A line end at the end of the text does not start another, empty line.
inline std::vector<std::string_view> lines_of_text(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// The line without leading and trailing blanks.
inline std::string_view trimmed_line_of(std::string_view text, uint32_t line) {
  return trimmed(line_of(text, line));
}

}  // namespace warplens
