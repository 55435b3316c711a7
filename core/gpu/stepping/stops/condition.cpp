#include "core/gpu/stepping/stops/condition.h"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <exception>

namespace warplens::stepping {

namespace {

constexpr size_t longest_condition = 1000;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t'; }

Error wrong(std::string_view text, size_t at, std::string_view why) {
  return bad_input(
      fmt::format("The condition \"{}\" is wrong at column {}: {}", text.substr(0, 80), at + 1, why));
}

// Rewrites the text for muParser: names become the variables v0, v1, …, and hexadecimal numbers become
// decimal ones.
class Rewriter {
 public:
  Rewriter(std::string_view text, std::vector<std::string>& names, std::vector<size_t>& columns)
      : m_text(text), m_names(names), m_columns(columns) {}

  Result<std::string> run() {
    while (m_at < m_text.size()) {
      const char c = m_text[m_at];
      Result<void> done;
      if (is_space(c)) {
        ++m_at;
      } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
        done = number();
      } else if (is_letter(c) || (c == '%' && is_letter(peek(1)) && !m_operand_before)) {
        name();
      } else {
        done = punctuation();
      }
      if (!done) return done.error();
    }
    if (m_out.empty()) return wrong(m_text, 0, "it is empty; write something like lane == 17 && %r7 > 3.");
    return m_out;
  }

 private:
  char peek(size_t ahead) const { return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0'; }

  Result<void> number() {
    const size_t first = m_at;
    uint64_t value = 0;
    if (m_text[m_at] == '0' && (peek(1) == 'x' || peek(1) == 'X')) {
      const char* begin = m_text.data() + m_at + 2;
      const auto [end, error] = std::from_chars(begin, m_text.data() + m_text.size(), value, 16);
      if (error != std::errc() || end == begin)
        return wrong(m_text, first, "a hexadecimal number has 1 to 16 digits after 0x.");
      m_at = static_cast<size_t>(end - m_text.data());
      m_out += fmt::format("{}", value);
    } else {
      while (is_digit(peek(0)) || peek(0) == '.') ++m_at;
      const bool exponent = (peek(0) == 'e' || peek(0) == 'E') &&
                            (is_digit(peek(1)) || ((peek(1) == '-' || peek(1) == '+') && is_digit(peek(2))));
      if (exponent) m_at += 2;
      while (exponent && is_digit(peek(0))) ++m_at;
      m_out += m_text.substr(first, m_at - first);
    }
    while (peek(0) == 'f' || peek(0) == 'u' || peek(0) == 'U' || peek(0) == 'l' || peek(0) == 'L') ++m_at;
    if (is_letter(peek(0)) || is_digit(peek(0)))
      return wrong(
          m_text, m_at,
          fmt::format("the number {} goes on with \"{}\".", m_text.substr(first, m_at - first), peek(0)));
    m_operand_before = true;
    return {};
  }

  // How many of the next characters belong to a name: a letter, a digit, or a part of a variable: ".x",
  // "->x", "[3]".
  size_t of_name() const {
    if (is_letter(peek(0)) || is_digit(peek(0)) || (peek(0) == '.' && is_letter(peek(1)))) return 1;
    if (peek(0) == '-' && peek(1) == '>' && is_letter(peek(2))) return 2;
    size_t digits = 0;
    while (peek(0) == '[' && is_digit(peek(1 + digits))) ++digits;
    return digits != 0 && peek(1 + digits) == ']' ? digits + 2 : 0;
  }

  void name() {
    const size_t first = m_at++;
    for (size_t more = 1; more != 0; m_at += more) more = of_name();
    const std::string text(m_text.substr(first, m_at - first));
    size_t behind = m_at;
    while (behind < m_text.size() && is_space(m_text[behind])) ++behind;
    m_operand_before = true;
    if (behind < m_text.size() && m_text[behind] == '(') {
      m_out += text;  // a function
      return;
    }
    if (text == "true" || text == "false") {
      m_out += text == "true" ? "1" : "0";
      return;
    }
    const auto known = std::ranges::find(m_names, text);
    const size_t number = static_cast<size_t>(known - m_names.begin());
    if (known == m_names.end()) {
      m_names.push_back(text);
      m_columns.push_back(first + 1);
    }
    m_out += fmt::format(" v{} ", number);
  }

  Result<void> punctuation() {
    const char c = m_text[m_at];
    const char next = peek(1);
    const std::string_view two = m_text.substr(m_at, 2);
    if (c == '=' && next != '=')
      return wrong(m_text, m_at, "one = would assign; two, as in lane == 17, compare.");
    if ((c == '&' || c == '|') && next != c)
      return wrong(m_text, m_at,
                   fmt::format("write {0}{0} for \"{1}\"; single bits cannot be asked for.", c,
                               c == '&' ? "and" : "or"));
    for (const std::string_view pair : {"==", "!=", "<=", ">=", "&&", "||"}) {
      if (two != pair) continue;
      m_out += fmt::format(" {} ", pair);
      m_at += 2;
      m_operand_before = false;
      return {};
    }
    if (std::string_view("+-*/%<>!?:(),^").find(c) == std::string_view::npos)
      return wrong(m_text, m_at, fmt::format("\"{}\" means nothing here.", c));
    m_out += c;
    ++m_at;
    m_operand_before = c == ')';
    return {};
  }

  std::string_view m_text;
  std::vector<std::string>& m_names;
  std::vector<size_t>& m_columns;
  std::string m_out;
  size_t m_at = 0;
  bool m_operand_before = false;
};

}  // namespace

struct Condition::Parser {
  mu::Parser parser;
  std::vector<double> values;
};

Condition::Condition() = default;
Condition::Condition(Condition&&) noexcept = default;
Condition& Condition::operator=(Condition&&) noexcept = default;
Condition::~Condition() = default;

Result<Condition> Condition::parse(std::string_view text) {
  if (text.size() > longest_condition)
    return wrong(text, longest_condition, fmt::format("it has more than {} characters.", longest_condition));
  Condition condition;
  condition.m_text = std::string(text);
  const Result<std::string> rewritten =
      Rewriter(condition.m_text, condition.m_names, condition.m_columns).run();
  if (!rewritten) return rewritten.error();
  condition.m_parser = std::make_unique<Parser>();
  Parser& parser = *condition.m_parser;
  parser.values.resize(condition.m_names.size());
  try {
    parser.parser.DefineOprt(
        "%", [](double a, double b) { return std::fmod(a, b); }, mu::prMUL_DIV);
    parser.parser.DefineInfixOprt("!", [](double a) { return a == 0 ? 1.0 : 0.0; });
    for (size_t i = 0; i < parser.values.size(); ++i)
      parser.parser.DefineVar(fmt::format("v{}", i), &parser.values[i]);
    parser.parser.SetExpr(*rewritten);
    int values = 1;
    parser.parser.Eval(values);
    if (values != 1) return wrong(text, 0, "it has several values; one is needed.");
  } catch (const mu::Parser::exception_type& exception) {
    return bad_input(
        fmt::format("The condition \"{}\" cannot be read: {}", text.substr(0, 80), exception.GetMsg()));
  } catch (const std::exception& exception) {
    return bad_input(
        fmt::format("The condition \"{}\" cannot be read: {}", text.substr(0, 80), exception.what()));
  }
  return condition;
}

bool Condition::holds(const std::vector<std::optional<double>>& values) const {
  Parser& parser = *m_parser;
  for (size_t i = 0; i < parser.values.size(); ++i) {
    if (i >= values.size() || !values[i]) return false;
    parser.values[i] = *values[i];
  }
  try {
    return parser.parser.Eval() != 0;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace warplens::stepping
