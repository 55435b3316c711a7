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
  const auto words = clang_words({"clang", 14, "14.0.6", ""}, options, "/headers");
  // Refused by name, or a line that ends with the source's place.
  if (words ? words->back() != "-" : words.error().message.empty()) std::abort();
  return 0;
}
