#include "core/recording/size_of_pointer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "core/base/text.h"
#include "core/recording/launch_source.h"

namespace warplens::recording {

namespace {

constexpr uint32_t most_lines_of_a_call = 6;

// The name in the next "sizeof(name)" or "sizeof name" from `at` on; `at` is then behind it. Empty if there
// is none.
std::string_view sized_name(std::string_view text, size_t& at) {
  constexpr std::string_view word = "sizeof";
  while ((at = text.find(word, at)) != text.npos) {
    size_t begin = at += word.size();
    while (begin < text.size() && (text[begin] == ' ' || text[begin] == '(')) ++begin;
    size_t end = begin;
    while (end < text.size() && is_in_name(text[end])) ++end;
    const size_t after = text.find_first_not_of(' ', end);
    // Of `sizeof(v[0])`, `sizeof(v->x)` and `sizeof(int*)` it is not v's own size, or v is a type.
    if (end != begin &&
        (after == text.npos || text[after] == ')' || text[after] == ',' || text[after] == ';'))
      return text.substr(begin, end - begin);
  }
  return {};
}

constexpr std::array builtin_types = {
    std::string_view("int"),  std::string_view("float"),    std::string_view("double"),
    std::string_view("char"), std::string_view("short"),    std::string_view("long"),
    std::string_view("bool"), std::string_view("unsigned"), std::string_view("auto"),
    std::string_view("void"), std::string_view("size_t")};

bool is_builtin(std::string_view text) {
  for (;;) {
    text = text.substr(std::min(text.size(), text.find_first_not_of(" \t")));
    const size_t end = std::min(text.size(), text.find_first_of(" *\t"));
    const std::string_view word = text.substr(0, end);
    if (word != "const" && word != "static")
      return std::find(builtin_types.begin(), builtin_types.end(), word) != builtin_types.end();
    text.remove_prefix(end);
  }
}

// Whether the text in front of a name, which ends in a star, begins its declaration: "  float *", "f(int *",
// "int *a, *", "Node* const *"; "x = a *" and "f(a *" do not.
bool declares_pointer(std::string_view before) {
  const size_t bracket = before.find_last_of("({;");
  const std::string_view part = bracket == before.npos ? before : before.substr(bracket + 1);
  const bool assigns = part.substr(part.rfind(',') == part.npos ? 0 : part.rfind(',')).find('=') != part.npos;
  if (assigns) return false;
  const size_t first = part.find_first_not_of(" \t");
  const bool is_statement = bracket == before.npos && part.find(',') == part.npos && is_in_name(part[first]);
  return is_builtin(part) || is_statement;
}

enum class Declared : uint8_t { no, pointer, other };

// What a line declares the name as: "float* v =", "int *v, n;"; "int v[10];" or "double v;" is another type.
Declared declared_in(std::string_view line, std::string_view name) {
  for (size_t at = line.find(name); at != line.npos; at = line.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at != 0 && is_in_name(line[at - 1])) || (end < line.size() && is_in_name(line[end]))) continue;
    const size_t before = at == 0 ? line.npos : line.find_last_not_of(" \t", at - 1);
    const size_t after = line.find_first_not_of(' ', end);
    if (before == line.npos) continue;
    const char next = after == line.npos ? ';' : line[after];
    const bool ends = std::string_view("=;,)").find(next) != std::string_view::npos;
    if (line[before] == '*' && ends && declares_pointer(line.substr(0, before + 1))) return Declared::pointer;
    if ((is_in_name(line[before]) || line[before] == '>') &&
        (ends || next == '[' || next == '{' || next == '('))
      return Declared::other;
  }
  return Declared::no;
}

}  // namespace

std::string size_of_pointer(const HostPlace* copy, uint64_t bytes) {
  if (copy == nullptr || bytes != sizeof(void*)) return {};
  const SourceText source = read_lines(copy->file, {});
  if (copy->line == 0 || copy->line > source.lines.size()) return {};
  std::string call;
  for (uint32_t line = copy->line; line <= source.lines.size() && line < copy->line + most_lines_of_a_call;
       ++line) {
    call += source.lines[line - 1];
    if (call.find(';') != call.npos) break;
  }
  for (size_t at = 0;;) {
    const std::string_view name = sized_name(call, at);
    if (name.empty()) return {};
    if (call.find(fmt::format("&{}", name)) != call.npos) continue;  // the pointer itself is copied
    for (uint32_t line = copy->line; line-- > 0;) {
      const Declared declared = declared_in(source.lines[line], name);
      if (declared == Declared::other) break;
      if (declared == Declared::pointer)
        return fmt::format("sizeof({0}) is 8, the size of a pointer: n elements are n * sizeof(*{0}) bytes.",
                           name);
    }
  }
}

}  // namespace warplens::recording
