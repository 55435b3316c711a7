#include "app/base/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

namespace warplens {
std::string with_separators(uint64_t value) { return thousands(value); }

std::optional<double> number_from(std::string_view text, bool whole) {
  std::string digits;
  constexpr std::string_view spaces[] = {"\u00a0", "\u2009", "\u202f"};  // not to be broken, or thin
  for (size_t at = 0; at < text.size();) {
    const auto space =
        std::ranges::find_if(spaces, [&](std::string_view s) { return text.substr(at).starts_with(s); });
    if (space != std::end(spaces)) {
      at += space->size();
      continue;
    }
    const char c = text[at++];
    if (c != ',' && c != '_' && c != '\'' && c != ' ') digits += c;
  }
  if (digits.starts_with('+')) digits.erase(0, 1);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool all = error == std::errc() && end == digits.data() + digits.size() && !digits.empty();
  if (!all || !std::isfinite(value)) return std::nullopt;
  constexpr double most_exact = 9007199254740992;  // 2^53
  if (whole && (std::round(value) != value || std::abs(value) > most_exact)) return std::nullopt;
  return value;
}

std::string percent_text(double percent) { return significant(percent) + " %"; }

std::string bytes_text(uint64_t bytes) { return byte_size_text(bytes); }

std::string milliseconds_text(double ms) { return microseconds_text(ms * 1e3); }

std::string clock_text(double seconds) {
  const auto whole = static_cast<uint64_t>(std::max(0.0, seconds));
  const uint64_t hours = whole / 3600, minutes = whole / 60 % 60;
  return hours > 0 ? fmt::format("{}:{:02}:{:02}", hours, minutes, whole % 60)
                   : fmt::format("{}:{:02}", minutes, whole % 60);
}

std::string count_text(uint64_t count, const std::string& singular, const std::string& plural) {
  return with_separators(count) + " " + (count == 1 ? singular : plural);
}

std::string extent_text(Dim3 extent) {
  std::string text = with_separators(extent.x);
  if (extent.y != 1 || extent.z != 1) text += " × " + with_separators(extent.y);
  if (extent.z != 1) text += " × " + with_separators(extent.z);
  return text;
}

std::string position_text(Dim3 position, Dim3 extent) {
  if (extent.z > 1) return position_text(position);
  if (extent.y > 1) return fmt::format("({}, {})", position.x, position.y);
  return fmt::format("({})", position.x);
}

std::string position_text(Dim3 position) {
  return fmt::format("({}, {}, {})", position.x, position.y, position.z);
}

std::string hex_text(uint64_t value) { return fmt::format("0x{:x}", value); }

}  // namespace warplens
