#include "core/job/report/profile/values.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <span>

#include "core/base/figures.h"

namespace warplens::profile {

namespace {

constexpr const char* not_available = "n/a";

// The profiler's multiples are powers of 1000, for bytes too.
struct Multiple {
  double size;
  const char* prefix;
};
constexpr std::array<Multiple, 4> multiples = {{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "K"}}};
constexpr std::array<Multiple, 4> times = {{{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}}};

bool is_whole(double value) { return std::floor(value) == value && std::abs(value) < 1e15; }

// 1234.5 → "1,234.50"; 1234 → "1,234".
std::string with_separators(double value) {
  const std::string sign = value < 0 ? "-" : "";
  const double size = std::abs(value);
  if (is_whole(size)) return sign + thousands(static_cast<uint64_t>(size));
  const std::string text = fmt::format("{:.2f}", size);
  const size_t point = text.find('.');
  if (point > 15) return sign + text;
  return sign + thousands(std::stoull(text.substr(0, point))) + text.substr(point);
}

Shown in_multiples(double value, const std::string& unit) {
  for (const Multiple& multiple : multiples)
    if (std::abs(value) >= multiple.size) {
      // "hz" is "Ghz", "byte/s" is "Gbyte/s".
      return {fmt::format("{:.2f}", value / multiple.size), multiple.prefix + unit};
    }
  return {with_separators(value), unit};
}

Shown as_time(double ns) {
  for (const Multiple& unit : times)
    if (std::abs(ns) >= unit.size)
      return {with_separators(std::round(ns / unit.size * 100) / 100), unit.prefix};
  return {with_separators(ns), "ns"};
}

}  // namespace

Shown shown_for_people(const Figure& figure) {
  const std::string& unit = figure.metric->unit;
  if (!figure.value) return {not_available, unit};
  if (unit == "ns") return as_time(*figure.value);
  if (unit == "hz" || unit.starts_with("byte")) return in_multiples(*figure.value, unit);
  return {with_separators(*figure.value), unit};
}

std::string shown_for_scripts(const Figure& figure, int digits) {
  if (!figure.value) return not_available;
  if (is_whole(*figure.value)) return fmt::format("{:.0f}", *figure.value);
  return fmt::format("{:.{}f}", *figure.value, digits);
}

std::string shown_mark(const Figure& figure) {
  return figure.error ? fmt::format("{} ±{:.1f} %", to_string(figure.mark), 100 * *figure.error)
                      : to_string(figure.mark);
}

std::string shown_extents(Dim3 extents) {
  return fmt::format("({}, {}, {})", extents.x, extents.y, extents.z);
}

}  // namespace warplens::profile
