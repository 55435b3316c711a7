#include "core/expression/value.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace warplens::expression {

std::string text_of(Value value) {
  switch (value.type()) {
    case Type::none:
      break;
    case Type::boolean:
      return value.holds() ? "true" : "false";
    case Type::whole:
      return fmt::format("{}", value.whole());
    case Type::large:
      return fmt::format("{}", value.bits());
    case Type::real: {
      std::array<char, 32> digits{};  // the shortest text: 0.5, 1e+20, nan
      const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), value.number()).ptr;
      const std::string text(digits.data(), static_cast<size_t>(end - digits.data()));
      return text.find_first_of(".en") == text.npos ? text + ".0" : text;
    }
  }
  return "?";
}

}  // namespace warplens::expression
