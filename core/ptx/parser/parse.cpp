#include "core/ptx/parser/parse.h"

#include <fmt/format.h>

#include "core/ptx/parser/parser.h"

namespace warplens::ptx {

ParseResult parse(std::string text, std::string name) {
  Reporter reporter(name);
  if (text.size() > k_max_text_bytes) {
    reporter.error({}, fmt::format("The text has {} bytes, and the virtual GPU takes at most {}; give it "
                                   "only the kernels that it should run.",
                                   text.size(), k_max_text_bytes));
    return {nullptr, reporter.take()};
  }
  auto module = std::make_shared<Module>();
  module->text = std::make_shared<const std::string>(std::move(text));
  module->name = std::move(name);
  Parser(*module, reporter).run();
  if (!reporter.empty()) return {nullptr, reporter.take()};
  return {std::move(module), {}};
}

}  // namespace warplens::ptx
