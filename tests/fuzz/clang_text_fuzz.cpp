// Any bytes as the messages of clang, as its PTX, and as options of NVRTC that it is given.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/compile/clang.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  using namespace warplens;
  const std::string_view text(reinterpret_cast<const char*>(bytes), count);
  for (const Diagnostic& diagnostic : parse_clang_log(text))
    if (diagnostic.file.find('\n') != std::string::npos || diagnostic.message.find('\n') != std::string::npos)
      std::abort();
  for (const std::string& name : missing_functions(text))
    if (name.find(';') != std::string::npos) std::abort();
  CompileOptions options;
  options.architecture = {8, 6};
  for (size_t at = 0; at < text.size() && options.extra.size() < 8;) {
    const size_t end = std::min(text.find(' ', at), text.size());
    options.extra.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  const Clang clang = {"clang", 14, "14.0.6", ""};
  const size_t own = clang_words(clang, {.architecture = options.architecture}, "/headers").value().size();
  const auto words = clang_words(clang, options, "/headers");
  if (!words && words.error().message.empty()) std::abort();
  // Refused by name, or options with their values: none becomes a second source.
  if (words && !std::all_of(words->begin() + own, words->end(),
                            [](const std::string& word) { return word.size() > 2 && word[0] == '-'; }))
    std::abort();
  return 0;
}
