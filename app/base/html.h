// Words within a page of HTML.
#pragma once

#include <string>
#include <string_view>

namespace warplens {

inline std::string html_escaped(std::string_view text) {
  std::string made;
  for (const char c : text)
    made += c == '<'   ? "&lt;"
            : c == '>' ? "&gt;"
            : c == '&' ? "&amp;"
            : c == '"' ? "&quot;"
                       : std::string(1, c);
  return made;
}

}  // namespace warplens
