// Characters and short texts, the same in every locale. Bytes outside of ASCII, as in UTF-8, are no letters
// and stay as they are.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace warplens {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
// Whether a name of C can begin with it, and have it further on.
constexpr bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_in_name(char c) { return begins_name(c) || is_digit(c); }

// Decimal digits, at least one, and nothing else.
inline bool is_digits(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_digit); }

// A to Z become a to z, to compare words without regard to case: names of kernels, file extensions.
inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

// With a capital first letter, as at the start of a sentence.
inline std::string capitalised(std::string words) {
  if (!words.empty() && words[0] >= 'a' && words[0] <= 'z')
    words[0] = static_cast<char>(words[0] - 'a' + 'A');
  return words;
}

// Without blanks and line ends at both ends.
inline std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// The number of characters of a UTF-8 text.
inline size_t letters_in(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(text, [](unsigned char c) { return (c & 0xc0) != 0x80; }));
}

// The first `most` bytes of a UTF-8 text, without a part of a character.
inline std::string_view head_of(std::string_view text, size_t most) {
  if (most >= text.size()) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80) --most;
  return text.substr(0, most);
}
inline void remove_last_letter(std::string& text) {
  if (!text.empty()) text.resize(head_of(text, text.size() - 1).size());
}

// A column of a table for people: `width` letters wide, and followed or preceded by a blank if the text is
// longer. fmt counts bytes, and µ and × have two.
inline std::string padded(const std::string& text, size_t width, bool right = true) {
  const size_t shown = letters_in(text);
  const std::string room(width > shown ? width - shown : 1, ' ');
  return right ? room + text : text + room;
}

// The text with every occurrence of `what` replaced. The replacements are not searched again. An empty `what`
// never occurs.
inline std::string replace_all(std::string text, std::string_view what, std::string_view with) {
  if (what.empty()) return text;
  for (size_t at = text.find(what); at != text.npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

}  // namespace warplens
