// Shared by all parts of the parser: tokens, errors, recovery.
#include "core/ptx/parser/parser.h"

#include <fmt/format.h>

namespace warplens::ptx {

Parser::Parser(Module& module, Reporter& reporter)
    : m_module(module), m_report(reporter), m_lexer(*module.text) {
  m_module.locations.emplace_back();
}

void Parser::run() {
  advance();
  while (m_token.kind != TokenKind::end && !m_report.full()) module_statement();
  finish_module();
}

void Parser::advance() {
  m_token = m_lexer.next();
  while (m_token.kind == TokenKind::bad && !m_report.full()) {
    fail(m_token, fmt::format("{}; remove it.", m_lexer.error()));
    m_token = m_lexer.next();
  }
  if (m_token.kind == TokenKind::bad) m_token = {TokenKind::end, {}, m_token.line, m_token.column};
}

bool Parser::accept(char c) {
  if (!m_token.is(c)) return false;
  advance();
  return true;
}

bool Parser::accept_word(std::string_view word) {
  if (!m_token.is_word(word)) return false;
  advance();
  return true;
}

bool Parser::expect(char c, std::string_view where) {
  return accept(c) || fail_here(fmt::format("'{}' {}", c, where));
}

bool Parser::expect_name(std::string_view what, Token& name) {
  if (m_token.kind != TokenKind::identifier) return fail_here(what);
  name = m_token;
  advance();
  return true;
}

bool Parser::fail(const Token& token, std::string message) {
  return m_report.error(place_of(token), std::move(message));
}

bool Parser::fail_here(std::string_view wanted) {
  return fail(m_token, fmt::format("Expected {}, found {}.", wanted, found()));
}

std::string Parser::found() const {
  constexpr size_t k_shown = 40;
  if (m_token.kind == TokenKind::end) return "the end of the text";
  const bool cut = m_token.text.size() > k_shown;
  return fmt::format("'{}{}'", m_token.text.substr(0, k_shown), cut ? "…" : "");
}

// Skips to after the next ';', or to before a token that can only start or end a scope.
void Parser::skip_statement() {
  while (m_token.kind != TokenKind::end && !m_token.is('{') && !m_token.is('}')) {
    if (accept(';')) return;
    advance();
  }
}

// Skips from a '{' to after its '}'.
void Parser::skip_braces() {
  uint64_t depth = 0;
  do {
    if (m_token.is('{')) ++depth;
    if (m_token.is('}')) --depth;
    advance();
  } while (depth != 0 && m_token.kind != TokenKind::end);
}

}  // namespace warplens::ptx
