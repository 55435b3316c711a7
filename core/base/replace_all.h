#pragma once

#include <string>
#include <string_view>

namespace warplens {

// The text with every occurrence of `what` replaced. The replacements are not searched again. An empty `what`
// never occurs.
inline std::string replace_all(std::string text, std::string_view what, std::string_view with) {
  if (what.empty()) return text;
  for (size_t at = text.find(what); at != text.npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

}  // namespace warplens
