#include "core/expression/value.h"

#include <fmt/format.h>

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
      std::string text = fmt::format("{}", value.number());
      if (text.find_first_of(".en") == text.npos) text += ".0";  // e: 1e+20; n: nan, inf
      return text;
    }
  }
  return "?";
}

}  // namespace warplens::expression
