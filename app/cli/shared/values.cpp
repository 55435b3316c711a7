#include "app/cli/shared/values.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include "core/base/text.h"

namespace warplens {

namespace {

std::optional<uint64_t> whole_number(std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

}  // namespace

Result<Dim3> parse_extent(std::string_view option, std::string_view text) {
  const auto wrong = [&](std::string_view why) {
    return bad_input(
        fmt::format("{} {}: {}; write X, X,Y or X,Y,Z, as in 16,16 or 16x16", option, text, why));
  };
  std::vector<uint32_t> axes;
  for (size_t start = 0; start <= text.size();) {
    const size_t end = std::min(text.find_first_of(",xX", start), text.size());
    const std::string_view part = text.substr(start, end - start);
    const std::optional<uint64_t> value = whole_number(part);
    if (!value) {
      const bool digits = is_digits(part);
      return wrong(digits
                       ? fmt::format("{} is more than 4294967295, the largest that CUDA can be given", part)
                       : fmt::format("\"{}\" is not a whole number from 0 on", part));
    }
    if (*value > UINT32_MAX)
      return wrong(fmt::format("{} is more than 4294967295, the largest that CUDA can be given", part));
    axes.push_back(static_cast<uint32_t>(*value));
    start = end + 1;
  }
  if (axes.empty() || axes.size() > 3) return wrong("there are at most three axes");
  axes.resize(3, 1);
  return Dim3{axes[0], axes[1], axes[2]};
}

Result<Dim3> parse_place(std::string_view option, const std::string& text) {
  Dim3 place{0, 0, 0};
  uint32_t* axes[] = {&place.x, &place.y, &place.z};
  const char* at = text.data();
  const char* end = at + text.size();
  for (uint32_t* const axis : axes) {
    const auto [next, error] = std::from_chars(at, end, *axis);
    if (error != std::errc()) break;
    if (next == end) return place;
    if (*next != ',') break;
    at = next + 1;
  }
  return bad_input(fmt::format("{} {}: give a place as X, X,Y or X,Y,Z, whole numbers from 0", option, text));
}

Result<uint64_t> parse_count(std::string_view option, std::string_view text, uint64_t minimum,
                             uint64_t maximum) {
  const std::optional<uint64_t> value = whole_number(text);
  if (value && *value >= minimum && *value <= maximum) return *value;
  return bad_input(
      fmt::format("{} {}: must be a whole number from {} to {}", option, text, minimum, maximum));
}

Result<std::pair<std::string, double>> parse_setting(std::string_view option, std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    return bad_input(fmt::format("{} {}: must be name=value, as in n=10000", option, text));
  const std::string_view number = text.substr(equals + 1);
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error == std::errc::result_out_of_range)
    return bad_input(fmt::format("{} {}: {} is beyond the range of numbers", option, text, number));
  if (error != std::errc() || end != number.data() + number.size())
    return bad_input(fmt::format("{} {}: \"{}\" is not a number", option, text, number));
  if (!std::isfinite(value)) return bad_input(fmt::format("{} {}: must be a finite number", option, text));
  return std::pair{std::string(text.substr(0, equals)), value};
}

}  // namespace warplens
