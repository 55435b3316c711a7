#include "app/views/model/code_lines.h"

#include <algorithm>

namespace warplens {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string without_tabs(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c == '\t')
      plain.append(4 - plain.size() % 4, ' ');
    else
      plain += c;
  }
  return plain;
}

}  // namespace warplens
