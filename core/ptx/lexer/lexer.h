// Splits PTX text into tokens, one at a time (PTX ISA 4). It copies nothing: every token is a view of the
// text.
#pragma once

#include <cstdint>
#include <string_view>

namespace warplens::ptx {

enum class TokenKind : uint8_t {
  end,
  identifier,   // add  %r1  $L__BB0_2  _
  dot_word,     // .f32  .shared::cta  .x
  number,       // 12  0x1FU  0f3F800000  1.5e-3
  string,       // "name.cu", quotes included
  punctuation,  // `text` is one character
  bad           // `text` is the wrong part; Lexer::error says why
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  uint32_t line = 1, column = 1;

  bool is(char c) const { return kind == TokenKind::punctuation && text[0] == c; }
  bool is_word(std::string_view word) const { return kind == TokenKind::dot_word && text == word; }
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : m_text(text) {}

  Token next();

  // Says what is wrong with the latest bad token.
  std::string_view error() const { return m_error; }

 private:
  bool skip_space_and_comments();
  bool skip_comment();
  Token token(TokenKind kind, size_t end);
  Token number();
  Token string();
  Token bad(std::string_view error, size_t end);
  char at(size_t position) const { return position < m_text.size() ? m_text[position] : '\0'; }

  std::string_view m_text;
  std::string_view m_error;
  size_t m_position = 0;
  size_t m_line_start = 0;
  uint32_t m_line = 1;
};

}  // namespace warplens::ptx
