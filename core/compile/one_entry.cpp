#include "core/compile/one_entry.h"
#include "core/base/text.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>

namespace warplens {

namespace {

bool is_in_ptx_name(char c) { return is_in_name(c) || c == '$' || c == '%'; }

// The position after the token at `at`: a comment, a string, or one character.
size_t step_over(std::string_view ptx, size_t at) {
  const auto behind = [&](std::string_view end, size_t from) {
    const size_t found = ptx.find(end, from);
    return found == ptx.npos ? ptx.size() : found + end.size();
  };
  if (ptx.compare(at, 2, "//") == 0) return behind("\n", at);
  if (ptx.compare(at, 2, "/*") == 0) return behind("*/", at + 2);
  if (ptx[at] == '"') return behind("\"", at + 1);
  return at + 1;
}

// The start of the directive whose word .entry is at `at`: only linkage words may precede it.
size_t begin_of(std::string_view ptx, size_t at) {
  constexpr std::string_view linkages[] = {".visible", ".weak", ".extern"};
  for (size_t before = ptx.find_last_not_of(" \t\r\n", at - 1); at != 0 && before != ptx.npos;
       before = ptx.find_last_not_of(" \t\r\n", at - 1)) {
    const std::string_view text = ptx.substr(0, before + 1);
    const auto* const found = std::find_if(std::begin(linkages), std::end(linkages),
                                           [&](std::string_view word) { return text.ends_with(word); });
    if (found == std::end(linkages)) break;
    at = text.size() - found->size();
  }
  return at;
}

}  // namespace

std::string with_one_entry(std::string_view ptx, std::string_view entry) {
  constexpr std::string_view word = ".entry";
  std::string made;
  size_t kept = 0;                 // up to here, the text has been copied or skipped
  std::optional<size_t> left_out;  // where a kernel begins that is left out
  int depth = 0;
  for (size_t at = 0; at < ptx.size();) {
    if (depth == 0 && ptx.compare(at, word.size(), word) == 0) {
      const size_t begin = std::min(ptx.find_first_not_of(" \t\r\n", at + word.size()), ptx.size());
      size_t end = begin;
      while (end < ptx.size() && is_in_ptx_name(ptx[end])) ++end;
      if (ptx.substr(begin, end - begin) != entry) left_out = begin_of(ptx, at);
      at = end;
      continue;
    }
    const char c = ptx[at];
    const size_t next = step_over(ptx, at);
    if (c == '{') ++depth;
    if (c == '}') --depth;
    if (left_out && depth == 0 && (c == '}' || c == ';')) {
      made += ptx.substr(kept, *left_out - kept);
      kept = next;
      left_out.reset();
    }
    at = next;
  }
  made += ptx.substr(kept);
  return made;
}

}  // namespace warplens
