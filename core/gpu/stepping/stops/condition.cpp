#include "core/gpu/stepping/stops/condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warplens::stepping {

Result<Condition> Condition::parse(std::string_view text) {
  Result<CExpression> expression = CExpression::parse(text);
  if (!expression)
    return bad_input(
        fmt::format("The condition \"{}\" is wrong at {}", text.substr(0, 80), expression.error().message));
  Condition condition;
  condition.m_text = std::string(text);
  condition.m_expression = std::move(expression).value();
  return condition;
}

bool Condition::holds(const std::vector<std::optional<CNumber>>& values) const {
  if (values.size() < names().size() ||
      std::any_of(values.begin(), values.end(), [](const auto& value) { return !value; }))
    return false;
  const std::optional<CNumber> value = m_expression.evaluate(values);
  return value && is_true(*value);
}

}  // namespace warplens::stepping
