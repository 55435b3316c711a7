// Any line as the arguments of a program, and any bytes as its output, in one piece and byte by byte.
#include <cstdlib>
#include <string>
#include <string_view>

#include "app/user_program/output_tail.h"
#include "app/user_program/words.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  using namespace warplens::program_run;
  const std::string_view text(reinterpret_cast<const char*>(bytes), count);
  // Each word in quotes gives the same words again.
  if (const auto words = split_words(text)) {
    std::string again;
    for (const std::string& word : *words) {
      again += "'";
      for (const char c : word) again += c == '\'' ? std::string(R"('\'')") : std::string(1, c);
      again += "' ";
    }
    if (*split_words(again) != *words) std::abort();
  }
  OutputTail whole, pieces;
  whole.add(text);
  for (size_t i = 0; i < text.size(); ++i) pieces.add(text.substr(i, 1));
  if (whole.lines() != pieces.lines() || whole.lines().size() > OutputTail::most_lines + 1) std::abort();
  for (const std::string& line : whole.lines())
    if (line.size() > OutputTail::most_line_bytes) std::abort();
  return 0;
}
