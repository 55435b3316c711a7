// Any text as an expression: it is read, or refused with a message. As text again, it has the same value.
#include <cstdlib>
#include <string>

#include "core/expression/evaluate.h"
#include "core/expression/parse.h"
#include "core/expression/print.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  using namespace warplens;
  using expression::Value;
  const std::string text(reinterpret_cast<const char*>(bytes), count);
  const Result<expression::Tree> tree = expression::parse(text);
  if (!tree) {
    if (tree.error().message.empty()) std::abort();
    return 0;
  }
  std::vector<Value> names;
  for (const auto& [name, column] : tree->names()) {
    if (name.empty() || column == 0 || column > count) std::abort();
    names.push_back(names.size() % 3 == 0   ? Value(int64_t{3} << names.size() % 62)
                    : names.size() % 3 == 1 ? Value(2.5)
                                            : Value{});
  }
  const expression::Elements elements = [](uint32_t, Value index) { return index; };
  const Value value = expression::evaluate(*tree, names, elements);
  const std::string printed = expression::print(*tree);
  if (printed.size() > expression::longest_expression) return 0;
  const Result<expression::Tree> again = expression::parse(printed);
  if (!again && again.error().message.find("too deeply") == std::string::npos) std::abort();
  if (!again) return 0;
  const Value same = expression::evaluate(*again, names, elements);
  if (value.is_real() && value.number() != value.number()) return 0;  // NaN
  if (value != same) std::abort();
  return 0;
}
