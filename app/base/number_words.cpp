#include "app/base/number_words.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "core/base/figures.h"

namespace warplens {

std::string number_words(double value) {
  constexpr double exact = 1e15;  // below, doubles hold every whole number
  if (value == std::floor(value) && std::abs(value) < exact) return fmt::format("{:.0f}", value);
  return fmt::format("{:.6g}", value);
}

std::string cell_words(const std::string& text) {
  constexpr size_t short_text = 5;
  const bool has_power = text.find("e+") != std::string::npos || text.find("e-") != std::string::npos;
  if (!has_power && (text.size() <= short_text || text.find('.') == std::string::npos)) return text;
  const double value = std::strtod(text.c_str(), nullptr), size = std::abs(value);
  if (size >= 1e6 && size < 1e9) return significant(value / 1e6) + " M";
  if (!std::isfinite(value) || size >= 1e9 || (size != 0 && size < 1e-3)) return fmt::format("{:.2g}", value);
  return size < 1000 ? significant(value) : fmt::format("{:.0f}", value);
}

}  // namespace warplens
