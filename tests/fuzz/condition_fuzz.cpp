// Any text as the condition of a breakpoint and as a part of a variable: it is read, or refused with a
// message.
#include <cstdlib>
#include <string>

#include "core/gpu/stepping/stops/condition.h"
#include "core/gpu/stepping/variable_path.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  using namespace warplens;
  const std::string text(reinterpret_cast<const char*>(bytes), count);
  const Result<stepping::VariablePath> path = stepping::parse_path(text);
  if (path ? path->name.empty() : path.error().message.empty()) std::abort();
  const Result<stepping::Condition> condition = stepping::Condition::parse(text);
  if (!condition) {
    if (condition.error().message.empty()) std::abort();
    return 0;
  }
  condition->holding_lanes(std::vector<expression::Value>(condition->names().size() * 32, 3));
  for (const auto& [name, column] : condition->names())
    if (name.empty() || column == 0) std::abort();
  return 0;
}
