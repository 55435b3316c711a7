// Command lines of nvcc, response files and lists of symbols: whatever they hold, each step names the
// compiler, and the text of a stub has no name that was not a symbol.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "app/program/nvcc_plan.h"

using namespace warplens;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == '\n') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  const auto read = [&](const std::string& path) -> Result<std::string> {
    if (path.size() > 3) return bad_input(path);
    return text;
  };
  const Result<nvcc::Plan> plan = nvcc::plan(words, {"nvcc", 86, "scratch"}, read);
  if (plan) {
    if (plan->steps.empty()) std::abort();
    for (const nvcc::Step& step : plan->steps) {
      if (step.words.empty() ? step.stub.empty() : step.words.front() != "nvcc") std::abort();
    }
  }
  const std::string stub = nvcc::stub_of(text);
  if (stub.find('"') != std::string::npos || stub.find('#') != std::string::npos) std::abort();
  return 0;
}
