#include "core/compile/cuda_source/host_code.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "core/base/text.h"
#include "core/compile/cuda_source/source_signature.h"

namespace warplens {

namespace {

bool has_word(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !is_in_name(text[at - 1])) && (end == text.size() || !is_in_name(text[end]))) return true;
  }
  return false;
}

// A declaration or definition outside of all functions: its head, and its body if it has one.
struct Declaration {
  size_t begin = 0, body = std::string_view::npos, end = 0;
};

// The text without comments, strings and preprocessor lines, so that all braces are those of the language.
std::string plain_code(std::string_view source) {
  std::string code = without_comments(source);
  bool line_begins = true;
  for (size_t at = 0; at < code.size(); ++at) {
    if (code[at] == '\n') {
      line_begins = true;
    } else if (code[at] == '#' && line_begins) {
      for (bool goes_on = true; goes_on && at < code.size();) {
        const size_t end = std::min(code.find('\n', at), code.size());
        goes_on = end > at && code[end - 1] == '\\';
        std::fill(code.begin() + static_cast<ptrdiff_t>(at), code.begin() + static_cast<ptrdiff_t>(end), ' ');
        at = goes_on ? end + 1 : end;
      }
      line_begins = true;
    } else if (std::isspace(static_cast<unsigned char>(code[at])) == 0) {
      line_begins = false;
    }
  }
  return code;
}

size_t behind_brace(std::string_view code, size_t open) {
  size_t depth = 0;
  for (size_t at = open; at < code.size(); ++at) {
    depth += code[at] == '{';
    if (code[at] == '}' && --depth == 0) return at + 1;
  }
  return code.size();
}

// Whether the braces after this head contain declarations rather than statements.
bool is_scope(std::string_view head) {
  return head.find('(') == std::string_view::npos &&
         (has_word(head, "namespace") || has_word(head, "extern"));
}

bool is_function(std::string_view head) {
  return head.find(')') != std::string_view::npos && head.find('=') == std::string_view::npos;
}

bool is_for_the_host(std::string_view head) {
  constexpr std::array kept = {"__global__", "__device__", "constexpr", "struct", "class", "union", "enum"};
  return is_function(head) &&
         std::none_of(kept.begin(), kept.end(), [&](const char* word) { return has_word(head, word); });
}

std::vector<Declaration> pieces_of(std::string_view code) {
  std::vector<Declaration> pieces;
  size_t begin = 0;
  for (size_t at = 0; at < code.size(); ++at) {
    if (code[at] == ';' || code[at] == '}') {
      begin = at + 1;
    } else if (code[at] == '{') {
      const std::string_view head = code.substr(begin, at - begin);
      if (is_scope(head)) {
        begin = at + 1;
        continue;
      }
      const size_t end = behind_brace(code, at);
      pieces.push_back({begin, at, end});
      begin = end;
      at = end - 1;
    }
  }
  return pieces;
}

void blank(std::string& text, size_t begin, size_t end) {
  for (size_t at = begin; at < std::min(end, text.size()); ++at) {
    if (text[at] != '\n') text[at] = ' ';
  }
}

}  // namespace

std::optional<uint32_t> main_line(std::string_view source) {
  const std::string code = plain_code(source);
  for (const Declaration& piece : pieces_of(code)) {
    const std::string_view head = std::string_view(code).substr(piece.begin, piece.body - piece.begin);
    const size_t open = head.find('(');
    if (open == std::string_view::npos || !is_for_the_host(head)) continue;
    std::string_view name = head.substr(0, open);
    while (!name.empty() && std::isspace(static_cast<unsigned char>(name.back())) != 0) name.remove_suffix(1);
    if (!name.ends_with("main") || (name.size() > 4 && is_in_name(name[name.size() - 5]))) continue;
    const auto at = static_cast<ptrdiff_t>(piece.begin + name.size());
    return 1 + static_cast<uint32_t>(std::count(code.begin(), code.begin() + at, '\n'));
  }
  return std::nullopt;
}

std::string without_host_code(std::string_view source) {
  const std::string code = plain_code(source);
  std::string text(source);
  for (const Declaration& piece : pieces_of(code)) {
    const std::string_view head = std::string_view(code).substr(piece.begin, piece.body - piece.begin);
    if (!is_for_the_host(head)) continue;
    // Starts at its first word: preprocessor lines before it stay.
    const size_t first = head.find_first_not_of(" \t\r\n");
    blank(text, piece.begin + (first == std::string_view::npos ? 0 : first), piece.end);
  }
  for (size_t at = code.find("using namespace std"); at != std::string::npos;
       at = code.find("using namespace std", at + 1))
    blank(text, at, std::min(code.find(';', at), code.size() - 1) + 1);
  return text;
}

bool is_template_at(std::string_view source, size_t offset) {
  const std::string code = plain_code(source.substr(0, offset));
  const size_t last = code.find_last_not_of(" \t\r\n");
  return last != std::string::npos && code[last] == '>';
}

}  // namespace warplens
