#include "app/debug/places.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/figures.h"
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

std::string words_of(const LineCounters& line) {
  std::string words = fmt::format("{} warp instructions", thousands(line.warp_instructions));
  if (line.active_lane_percent() < 99.95)
    words += fmt::format(", {:.0f} % of lanes", line.active_lane_percent());
  if (line.global_sectors != 0) {
    words += fmt::format(", {} sectors", thousands(line.global_sectors));
    if (line.global_sectors > line.global_sectors_ideal)
      words += fmt::format(" ({} needed)", thousands(line.global_sectors_ideal));
  }
  if (line.bank_conflicts != 0) words += fmt::format(", {} bank conflicts", thousands(line.bank_conflicts));
  if (line.divergent_branches != 0)
    words += fmt::format(", {} divergent branches", thousands(line.divergent_branches));
  return words;
}

}  // namespace warplens::dap
