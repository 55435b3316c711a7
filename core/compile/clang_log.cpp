// Parses clang's messages, and finds what its PTX lacks.
#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <utility>

#include "core/compile/clang.h"

namespace warplens {

namespace {

std::optional<uint32_t> number_of(std::string_view digits) {
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

struct Kind {
  std::string_view word;
  Severity severity;
};
constexpr Kind kinds[] = {{": fatal error: ", Severity::error},
                          {": error: ", Severity::error},
                          {": warning: ", Severity::warning},
                          {": note: ", Severity::note}};

// "add.cu:4:7". The file's name may contain colons itself.
void read_place(std::string_view place, Diagnostic& diagnostic) {
  uint32_t numbers[2] = {0, 0};  // the last number first
  for (uint32_t& number : numbers) {
    const size_t colon = place.rfind(':');
    if (colon == place.npos) break;
    const auto value = number_of(place.substr(colon + 1));
    if (!value) break;
    number = *value;
    place = place.substr(0, colon);
  }
  diagnostic.file = place;
  diagnostic.line = numbers[1] != 0 ? numbers[1] : numbers[0];
  diagnostic.column = numbers[1] != 0 ? numbers[0] : 0;
}

// "sin(float)" for _Z3sinf: functions of numbers, as in libclc. Others keep their linker names, since a
// demangler may make very long texts of short names.
std::string plain_name(const std::string& mangled) {
  constexpr std::pair<char, std::string_view> types[] = {
      {'f', "float"}, {'d', "double"},        {'i', "int"},       {'j', "unsigned int"},
      {'l', "long"},  {'m', "unsigned long"}, {'x', "long long"}, {'y', "unsigned long long"},
      {'v', ""}};
  if (!mangled.starts_with("_Z")) return mangled;
  const size_t digits = mangled.find_first_not_of("0123456789", 2);
  if (digits == mangled.npos || digits == 2) return mangled;
  const auto length = number_of(std::string_view(mangled).substr(2, digits - 2));
  if (!length || *length > mangled.size() - digits) return mangled;
  std::string text = mangled.substr(digits, *length) + "(";
  for (const char letter : mangled.substr(digits + *length)) {
    const auto type = std::ranges::find(types, letter, &std::pair<char, std::string_view>::first);
    if (type == std::end(types)) return mangled;
    text += (text.ends_with('(') ? "" : ", ") + std::string(type->second);
  }
  return text + ")";
}

// Functions of the device's runtime (PTX Interoperability, "System Calls").
constexpr std::string_view of_the_runtime[] = {"vprintf", "malloc", "free", "__assertfail"};

}  // namespace

std::vector<Diagnostic> parse_clang_log(std::string_view log) {
  std::vector<Diagnostic> diagnostics;
  for (size_t at = 0; at < log.size();) {
    const size_t end = std::min(log.find('\n', at), log.size());
    const std::string_view line = log.substr(at, end - at);
    at = end + 1;
    for (const Kind& kind : kinds) {
      // Errors about the whole compilation have no position at the start.
      const bool whole = line.starts_with(kind.word.substr(2));
      const size_t word = whole ? 0 : line.find(kind.word);
      if (word == line.npos) continue;
      Diagnostic diagnostic;
      diagnostic.severity = kind.severity;
      if (!whole) read_place(line.substr(0, word), diagnostic);
      diagnostic.message = line.substr(word + kind.word.size() - (whole ? 2 : 0));
      diagnostics.push_back(std::move(diagnostic));
      break;
    }
  }
  return diagnostics;
}

std::vector<std::string> missing_functions(std::string_view ptx) {
  std::vector<std::string> names;
  constexpr std::string_view mark = ".extern .func";
  for (size_t at = ptx.find(mark); at != ptx.npos; at = ptx.find(mark, at + 1)) {
    // The return value is in parentheses before the name.
    size_t begin = ptx.find_first_not_of(" \t\n", at + mark.size());
    if (begin != ptx.npos && ptx[begin] == '(')
      begin = ptx.find_first_not_of(" \t\n", ptx.find(')', begin) + 1);
    if (begin == ptx.npos) break;
    const std::string name(ptx.substr(begin, ptx.find_first_of(" \t\n(;", begin) - begin));
    bool known = false;
    for (const std::string_view one : of_the_runtime) known = known || one == name;
    if (!known) names.push_back(plain_name(name));
  }
  return names;
}

}  // namespace warplens
