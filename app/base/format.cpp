#include "app/base/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <span>

#include "core/base/figures.h"

namespace warplens {
namespace {

void group_thousands(std::string& digits, size_t end) {
  for (size_t at = end; at > 3; at -= 3) digits.insert(at - 3, 1, ',');
}

// 0.00000446 → "4.46 × 10⁻⁶"
std::string power_of_ten(double value, int digits) {
  static constexpr std::array<const char*, 10> raised = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  const std::string plain = fmt::format("{:.{}e}", value, digits - 1);
  const size_t e = plain.find('e');
  std::string text = plain.substr(0, e);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  text += " × 10";
  const int exponent = std::stoi(plain.substr(e + 1));
  if (exponent < 0) text += "⁻";
  for (const char digit : std::to_string(std::abs(exponent)))
    text += raised[static_cast<size_t>(digit - '0')];
  return text;
}

struct Unit {
  double size;
  const char* name;
};

// The largest unit that is not above the displayed value: 999.96 ms becomes "1 s", never "1,000 ms".
std::string in_units(double value, std::span<const Unit> units) {
  for (size_t i = 0; i + 1 < units.size(); ++i) {
    const double rounded_limit = units[i + 1].size / units[i].size * (1 - 0.0005);
    if (value / units[i].size < rounded_limit) {
      return significant(value / units[i].size) + " " + units[i].name;
    }
  }
  return significant(value / units.back().size) + " " + units.back().name;
}

constexpr std::array<Unit, 4> time_units_us = {{{1e-3, "ns"}, {1.0, "µs"}, {1e3, "ms"}, {1e6, "s"}}};
constexpr std::array<Unit, 4> byte_units = {
    {{1.0, "B"}, {1024.0, "KiB"}, {1024.0 * 1024, "MiB"}, {1024.0 * 1024 * 1024, "GiB"}}};

}  // namespace

std::string with_separators(uint64_t value) { return thousands(value); }

std::string significant(double value, int digits) {
  if (std::isnan(value)) return "not a number";
  if (std::isinf(value)) return value < 0 ? "-∞" : "∞";
  if (value == 0) return "0";
  const double magnitude = std::abs(value);
  if (magnitude >= 1e18 || magnitude < 1e-4) return power_of_ten(value, digits);
  const int exponent = static_cast<int>(std::floor(std::log10(magnitude)));
  const int decimals = std::max(0, digits - 1 - exponent);
  std::string text = fmt::format("{:.{}f}", magnitude, decimals);
  size_t point = text.find('.');
  if (point != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    point = std::min(point, text.size());
  }
  group_thousands(text, point == std::string::npos ? text.size() : point);
  return value < 0 ? "-" + text : text;
}

std::string percent_text(double percent) { return significant(percent) + " %"; }

std::string bytes_text(uint64_t bytes) { return in_units(static_cast<double>(bytes), byte_units); }

std::string microseconds_text(double us) {
  if (us < 0 || std::isnan(us)) return "unknown";
  return us == 0 ? "0 µs" : in_units(us, time_units_us);
}

std::string milliseconds_text(double ms) { return microseconds_text(ms * 1e3); }

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
