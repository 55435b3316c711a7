// Command lines of nvcc, response files and lists of symbols: whatever they hold, each step names the
// compiler, and the text of a stub has no name that was not a symbol. The same for clang in nvcc's place: it
// gets no option that only nvcc has, and device code that is made is used.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "app/user_program/clang_plan.h"
#include "app/user_program/nvcc_plan.h"

using namespace warplens;

namespace {

void check_clang(const std::vector<std::string>& words, const nvcc::ReadText& read) {
  const nvcc::ClangTools tools{"clang",
                               14,
                               "14.0.6",
                               {"--cuda-gpu-arch=sm_86"},
                               "headers",
                               "libraries",
                               86,
                               "scratch",
                               [](const std::string& folder) { return folder == "toolkit"; }};
  const Result<nvcc::Plan> plan = nvcc::clang_plan(words, tools, read);
  if (!plan) {
    if (plan.error().message.empty()) std::abort();
    return;
  }
  if (plan->steps.empty() && plan->said.empty()) std::abort();
  std::string fat_binary;  // of the step before
  for (const nvcc::Step& step : plan->steps) {
    if (step.words.empty() && step.stub.empty()) std::abort();
    bool is_taken = false;
    for (const std::string& word : step.words) is_taken = is_taken || (!word.empty() && word == fat_binary);
    if (!fat_binary.empty() && !is_taken) std::abort();
    if (!step.source.empty() && step.words.front() != "clang") std::abort();
    if (!step.ptx.empty() && step.words.back() != step.source) std::abort();
    fat_binary = step.fat_binary;
  }
}

}  // namespace

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
  const Result<nvcc::Plan> plan = nvcc::plan(words, {"nvcc", 86, 86, "scratch"}, read);
  if (plan) {
    if (plan->steps.empty()) std::abort();
    for (const nvcc::Step& step : plan->steps) {
      if (step.words.empty() ? step.stub.empty() : step.words.front() != "nvcc") std::abort();
    }
  }
  check_clang(words, read);
  const std::string stub = nvcc::stub_of(text);
  if (stub.find('"') != std::string::npos || stub.find('#') != std::string::npos) std::abort();
  return 0;
}
