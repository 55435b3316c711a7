#include "core/compile/cuda_source/assignments.h"
#include "core/base/text.h"

#include <cctype>

namespace warplens {

namespace {

// The text without comments and the contents of quotes; line numbers do not change.
std::string bare(std::string_view source) {
  std::string text(source);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "//") == 0) {
      for (; i < text.size() && text[i] != '\n'; ++i) text[i] = ' ';
    } else if (text.compare(i, 2, "/*") == 0) {
      for (; i < text.size() && text.compare(i, 2, "*/") != 0; ++i)
        if (text[i] != '\n') text[i] = ' ';
      if (i + 1 < text.size()) text[i] = text[i + 1] = ' ';
    } else if (text[i] == '"' || (text[i] == '\'' && (i == 0 || !is_in_name(text[i - 1])))) {
      const char quote = text[i];
      for (++i; i < text.size() && text[i] != quote && text[i] != '\n'; ++i) {
        if (text[i] == '\\' && i + 1 < text.size()) text[i++] = ' ';
        if (text[i] != '\n') text[i] = ' ';
      }
    }
  }
  return text;
}

// An assignment through a pointer ("*p = 1") does not assign to the pointer.
bool is_behind_star(std::string_view text, size_t name) {
  while (name > 0 && (text[name - 1] == ' ' || text[name - 1] == '\t')) --name;
  return name > 0 && text[name - 1] == '*';
}

// Whether an assignment begins here: =, but not ==, and +=, <<= and the like.
bool assigns(std::string_view text, size_t at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("=")) return !rest.starts_with("==");
  if (rest.starts_with("<<=") || rest.starts_with(">>=")) return true;
  return rest.size() > 1 && rest[1] == '=' && std::string_view("+-*/%&|^").find(rest[0]) != rest.npos;
}

bool stepped_before(std::string_view text, size_t name) {
  while (name > 0 && (text[name - 1] == ' ' || text[name - 1] == '\t')) --name;
  return name >= 2 && (text.substr(name - 2, 2) == "++" || text.substr(name - 2, 2) == "--");
}

bool stepped_behind(std::string_view text, size_t at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
  return text.substr(at, 2) == "++" || text.substr(at, 2) == "--";
}

}  // namespace

std::map<std::string, std::set<uint32_t>, std::less<>> assignments_in(std::string_view source) {
  const std::string text = bare(source);
  std::map<std::string, std::set<uint32_t>, std::less<>> lines;
  uint32_t line = 1;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') ++line;
    if (!is_in_name(text[i])) continue;
    const size_t begin = i;
    while (i < text.size() && is_in_name(text[i])) ++i;
    const bool is_member =
        begin > 0 && (text[begin - 1] == '.' || (begin > 1 && text.compare(begin - 2, 2, "->") == 0));
    const bool is_number = std::isdigit(static_cast<unsigned char>(text[begin])) != 0;
    const bool steps = stepped_before(text, begin) || stepped_behind(text, i);
    const bool assigned = assigns(text, i) && !is_behind_star(text, begin);
    if (!is_member && !is_number && (steps || assigned)) lines[text.substr(begin, i - begin)].insert(line);
    --i;
  }
  return lines;
}

}  // namespace warplens
