#include "core/base/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <span>

namespace warplens {
namespace {

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
const Unit& unit_for(double value, std::span<const Unit> units) {
  for (size_t i = 0; i + 1 < units.size(); ++i) {
    const double rounded_limit = units[i + 1].size / units[i].size * (1 - 0.0005);
    if (value / units[i].size < rounded_limit) return units[i];
  }
  return units.back();
}

std::string in_units(double value, std::span<const Unit> units) {
  const Unit& unit = unit_for(value, units);
  return significant(value / unit.size) + " " + unit.name;
}

constexpr std::array<Unit, 4> time_units_us = {{{1e-3, "ns"}, {1.0, "µs"}, {1e3, "ms"}, {1e6, "s"}}};
constexpr std::array<Unit, 6> byte_units = {{{1.0, "B"},
                                             {1024.0, "KiB"},
                                             {1024.0 * 1024, "MiB"},
                                             {1024.0 * 1024 * 1024, "GiB"},
                                             {1024.0 * 1024 * 1024 * 1024, "TiB"},
                                             {1024.0 * 1024 * 1024 * 1024 * 1024, "PiB"}}};

}  // namespace

std::string place_text(Dim3 place) { return fmt::format("({}, {}, {})", place.x, place.y, place.z); }

std::string thousands(uint64_t value) {
  std::string text = std::to_string(value);
  for (size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

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
  for (size_t at = point == std::string::npos ? text.size() : point; at > 3; at -= 3)
    text.insert(at - 3, 1, ',');
  return value < 0 ? "-" + text : text;
}

std::string three_digits(double value) {
  const double size = std::abs(value);
  if (!std::isfinite(value) || size < 100) return significant(value);
  const double step = std::pow(10.0, std::floor(std::log10(size)) - 2);
  return significant(std::copysign(std::round(size / step) * step, value));
}

std::string byte_size_text(uint64_t bytes) { return in_units(static_cast<double>(bytes), byte_units); }

std::string microseconds_text(double us) {
  if (us < 0 || std::isnan(us)) return "unknown";
  return us == 0 ? "0 µs" : in_units(us, time_units_us);
}

std::string duration_text(double seconds) {
  if (seconds == 0) return "0 s";
  return seconds < 0 ? "-" + microseconds_text(-seconds * 1e6) : microseconds_text(seconds * 1e6);
}

std::string change_of_us(double from, double to) {
  const Unit &before = unit_for(from, time_units_us), &after = unit_for(to, time_units_us);
  const std::string unit = before.size == after.size ? "" : std::string(" ") + before.name;
  return significant(from / before.size) + unit + " → " + microseconds_text(to);
}

}  // namespace warplens
