#include "core/ptx/lexer/lexer.h"

#include <array>

namespace warplens::ptx {

namespace {

enum CharClass : uint8_t { k_space = 1, k_word = 2, k_digit = 4, k_word_start = 8, k_punctuation = 16 };

constexpr std::array<uint8_t, 256> make_classes() {
  std::array<uint8_t, 256> classes{};
  for (const char c : {' ', '\t', '\r', '\v', '\f', '\n'}) classes[static_cast<uint8_t>(c)] = k_space;
  for (char c = 'a'; c <= 'z'; ++c) classes[static_cast<uint8_t>(c)] = k_word | k_word_start;
  for (char c = 'A'; c <= 'Z'; ++c) classes[static_cast<uint8_t>(c)] = k_word | k_word_start;
  for (char c = '0'; c <= '9'; ++c) classes[static_cast<uint8_t>(c)] = k_word | k_digit;
  for (const char c : {'_', '$'}) classes[static_cast<uint8_t>(c)] = k_word | k_word_start;
  for (const char c : std::string_view(",;:()[]{}<>|@!=+-*/&^~?")) {
    classes[static_cast<uint8_t>(c)] = k_punctuation;
  }
  classes[static_cast<uint8_t>('%')] = k_punctuation | k_word_start;
  return classes;
}

constexpr std::array<uint8_t, 256> k_classes = make_classes();

bool is(char c, uint8_t classes) { return (k_classes[static_cast<uint8_t>(c)] & classes) != 0; }

}  // namespace

Token Lexer::token(TokenKind kind, size_t end) {
  Token result{kind, m_text.substr(m_position, end - m_position), m_line,
               static_cast<uint32_t>(m_position - m_line_start + 1)};
  m_position = end;
  return result;
}

Token Lexer::bad(std::string_view error, size_t end) {
  m_error = error;
  return token(TokenKind::bad, end);
}

// Returns false for a comment that never ends; the position is then at its start.
bool Lexer::skip_space_and_comments() {
  while (m_position < m_text.size()) {
    const char c = m_text[m_position];
    if (c == '\n') {
      ++m_position;
      ++m_line;
      m_line_start = m_position;
    } else if (is(c, k_space)) {
      ++m_position;
    } else if (c == '/' && (at(m_position + 1) == '/' || at(m_position + 1) == '*')) {
      if (!skip_comment()) return false;
    } else {
      break;
    }
  }
  return true;
}

bool Lexer::skip_comment() {
  if (at(m_position + 1) == '/') {
    const size_t end = m_text.find('\n', m_position);
    m_position = end == std::string_view::npos ? m_text.size() : end;
    return true;
  }
  const size_t end = m_text.find("*/", m_position + 2);
  if (end == std::string_view::npos) return false;
  for (; m_position < end + 2; ++m_position) {
    if (m_text[m_position] != '\n') continue;
    ++m_line;
    m_line_start = m_position + 1;
  }
  return true;
}

// Integers, hexadecimal floats (0f…, 0d…) and decimal floats. The parser interprets the letters.
Token Lexer::number() {
  size_t end = m_position;
  const bool prefixed = at(end) == '0' && is(at(end + 1), k_word_start) && at(end + 1) != 'e' &&
                        at(end + 1) != 'E' && at(end + 1) != 'U';
  while (is(at(end), k_word)) {
    const bool exponent = !prefixed && (at(end) == 'e' || at(end) == 'E');
    ++end;
    if (exponent && (at(end) == '+' || at(end) == '-')) ++end;
    if (!prefixed && at(end) == '.' && (is(at(end + 1), k_digit) || !is(at(end + 1), k_word))) ++end;
  }
  return token(TokenKind::number, end);
}

Token Lexer::string() {
  size_t end = m_position + 1;
  while (end < m_text.size() && m_text[end] != '"' && m_text[end] != '\n') {
    end += m_text[end] == '\\' && at(end + 1) != '\n' ? 2 : 1;
  }
  if (at(end) != '"') return bad("this string has no closing quote", std::min(end, m_text.size()));
  return token(TokenKind::string, end + 1);
}

Token Lexer::next() {
  if (!skip_space_and_comments()) return bad("this comment has no closing */", m_text.size());
  if (m_position >= m_text.size()) return token(TokenKind::end, m_position);
  const char c = m_text[m_position];
  size_t end = m_position + 1;
  if (is(c, k_digit)) return number();
  if (is(c, k_word_start) && (c != '%' || is(at(end), k_word))) {
    while (is(at(end), k_word)) ++end;
    return token(TokenKind::identifier, end);
  }
  if (c == '.' && is(at(end), k_word)) {
    while (is(at(end), k_word) || (at(end) == ':' && at(end + 1) == ':' && is(at(end + 2), k_word))) {
      end += at(end) == ':' ? 2 : 1;
    }
    return token(TokenKind::dot_word, end);
  }
  if (c == '"') return string();
  if (is(c, k_punctuation)) return token(TokenKind::punctuation, end);
  while (end < m_text.size() && !is(m_text[end], 0xFF) && m_text[end] != '.' && m_text[end] != '"') ++end;
  return bad("PTX has no such character", end);
}

}  // namespace warplens::ptx
