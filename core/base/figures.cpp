#include "core/base/figures.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace warplens {

std::string thousands(uint64_t value) {
  std::string text = std::to_string(value);
  for (size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

std::string three_digits(double value) {
  if (std::isnan(value)) return "not a number";
  if (std::isinf(value)) return value < 0 ? "-infinity" : "infinity";
  if (value == 0) return "0";
  const std::string sign = value < 0 ? "-" : "";
  const double size = std::fabs(value);
  if (size >= 1e15 || size < 1e-6) return fmt::format("{:.2e}", value);
  const int exponent = static_cast<int>(std::floor(std::log10(size)));
  const double step = std::pow(10.0, exponent - 2);
  const double rounded = std::round(size / step) * step;
  if (rounded >= 100) return sign + thousands(static_cast<uint64_t>(std::llround(rounded)));
  std::string text = fmt::format("{:.{}f}", rounded, std::max(0, 2 - exponent));
  while (text.find('.') != std::string::npos && (text.back() == '0' || text.back() == '.')) {
    const bool point = text.back() == '.';
    text.pop_back();
    if (point) break;
  }
  return sign + text;
}

std::string byte_size_text(uint64_t bytes) {
  constexpr std::array<const char*, 5> units{"KiB", "MiB", "GiB", "TiB", "PiB"};
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double amount = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  while (amount >= 1024 && unit + 1 < units.size()) {
    amount /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", three_digits(amount), units[unit]);
}

std::string duration_text(double seconds) {
  const double size = std::fabs(seconds);
  if (size >= 1 || size == 0) return three_digits(seconds) + " s";
  if (size >= 1e-3) return three_digits(seconds * 1e3) + " ms";
  if (size >= 1e-6) return three_digits(seconds * 1e6) + " µs";
  return three_digits(seconds * 1e9) + " ns";
}

}  // namespace warplens
