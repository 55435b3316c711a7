#include "app/debug/places.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"

namespace warplens::dap {

std::string text_of(Dim3 place) { return fmt::format("({},{},{})", place.x, place.y, place.z); }

std::optional<Dim3> parse_place(std::string_view text) {
  if (text.starts_with('(') && text.ends_with(')')) text = text.substr(1, text.size() - 2);
  Dim3 place{0, 0, 0};
  uint32_t* const parts[] = {&place.x, &place.y, &place.z};
  size_t at = 0;
  for (uint32_t* const part : parts) {
    const size_t comma = std::min(text.find(',', at), text.size());
    const std::string word(text.substr(at, comma - at));
    if (!is_digits(word) || word.size() > 9) return std::nullopt;
    *part = static_cast<uint32_t>(std::stoul(word));
    if (comma == text.size()) return place;
    at = comma + 1;
  }
  return std::nullopt;
}

}  // namespace warplens::dap
