#include "core/expression/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/base/text.h"

namespace warplens::expression {

namespace {

constexpr uint32_t deepest = 200;

bool is_letter(char c) { return begins_name(c) || c == '$'; }

}  // namespace

class Parser {
 public:
  explicit Parser(std::string_view text) : m_text(text) {}

  Result<Tree> run() {
    if (m_text.size() > longest_expression) return wrong(longest_expression, "it is too long.");
    skip();
    if (m_at == m_text.size()) return wrong(0, "it is empty; write something like n > 3.");
    if (const Result<void> read = choice(); !read) return read.error();
    if (m_at < m_text.size()) return unexpected();
    return std::move(m_tree);
  }

 private:
  static Error wrong(size_t at, std::string_view why) {
    return bad_input(fmt::format("column {}: {}", at + 1, why));
  }
  Error unexpected() const {
    if (m_at >= m_text.size()) return wrong(m_text.size(), "it ends where a value should stand.");
    if (peek() == '=') return wrong(m_at, "one = would assign; two, as in lane == 17, compare.");
    if (peek() == ',') return wrong(m_at, "it has several values; one is needed.");
    return wrong(m_at, fmt::format("\"{}\" means nothing here.", peek()));
  }

  char peek(size_t ahead = 0) const { return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0'; }
  void skip() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') ++m_at;
  }
  bool take(char c) {
    if (peek() != c || m_at >= m_text.size()) return false;
    ++m_at;
    skip();
    return true;
  }

  // A node over the last `operands` parts that were read.
  Result<void> add(Op op, uint32_t operands, uint32_t which = 0, Value value = {}) {
    const auto own = static_cast<uint32_t>(m_tree.m_nodes.size());
    m_tree.m_nodes.push_back({op, operands, own, which, value});
    if (operands != 0) m_tree.m_nodes[own].first = m_tree[m_tree.operand(own, 0)].first;
    m_waiting += 1 - operands;
    return m_waiting > most_waiting ? Result<void>(wrong(m_at, "it is nested too deeply.")) : Result<void>();
  }

  Result<void> choice() {
    if (++m_depth > deepest) return wrong(m_at, "it is nested too deeply.");
    Result<void> read = joined(1);
    if (read && take('?')) {
      read = choice();
      if (!read) return read;
      if (!take(':')) return wrong(m_at, "a ? needs a : after its first value.");
      read = choice();
      if (!read) return read;
      read = add(Op::choose, 3);
    }
    --m_depth;
    return read;
  }

  Result<void> joined(int rank) {
    Result<void> read = unary();
    while (read) {
      const auto binary = std::ranges::find_if(
          binary_operators(), [&](const Operator& row) { return m_text.substr(m_at).starts_with(row.sign); });
      if (binary == binary_operators().end() || binary->rank < rank) break;
      m_at += binary->sign.size();
      skip();
      read = joined(binary->rank + 1);
      if (read) read = add(binary->op, 2);
    }
    return read;
  }

  Result<void> unary() {
    if (++m_depth > deepest) return wrong(m_at, "it is nested too deeply.");
    Result<void> read = signed_value();
    --m_depth;
    return read;
  }

  Result<void> signed_value() {
    for (const Operator& row : unary_operators()) {
      if (peek() != row.sign[0] || !take(row.sign[0])) continue;
      const Result<void> read = unary();
      return read ? add(row.op, 1) : read;
    }
    if (take('+')) return unary();
    if (take('(')) {
      const Result<void> read = choice();
      return read ? close(')') : read;
    }
    if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return number();
    if (is_letter(peek()) || (peek() == '%' && is_letter(peek(1)))) return name();
    return unexpected();
  }

  Result<void> close(char bracket) {
    if (take(bracket)) return {};
    return m_at < m_text.size() ? unexpected() : wrong(m_at, fmt::format("a {} is missing.", bracket));
  }

  Result<void> number() {
    const size_t first = m_at;
    const bool is_hex = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
    if (is_hex) m_at += 2;
    const char* begin = m_text.data() + m_at;
    const char* const last = m_text.data() + m_text.size();
    uint64_t whole = 0;
    auto [end, error] = std::from_chars(begin, last, whole, is_hex ? 16 : 10);
    Value value = whole;
    if (is_hex && (error != std::errc() || end == begin))
      return wrong(first, "a hexadecimal number has 1 to 16 digits after 0x.");
    const bool is_real =
        !is_hex && (begin == end || (end != last && (*end == '.' || *end == 'e' || *end == 'E')));
    if (!is_hex && (is_real || error != std::errc())) {
      double real = 0;
      const auto read = std::from_chars(begin, last, real);
      if (read.ec != std::errc()) return wrong(first, "the number is out of range.");
      end = read.ptr;
      value = real;
    }
    m_at = static_cast<size_t>(end - m_text.data());
    const std::string_view digits = m_text.substr(first, m_at - first);
    while (peek() != '\0' && std::string_view("fuUlL").find(peek()) != std::string_view::npos) ++m_at;
    if (is_letter(peek()) || is_digit(peek()) || peek() == '.')
      return wrong(m_at, fmt::format("the number {} goes on with \"{}\".", digits, peek()));
    skip();
    return add(Op::number, 0, 0, value);
  }

  // How many of the next characters belong to a name: a letter, a digit, or a part of a variable: ".x",
  // "->x", "[3]".
  size_t of_name() const {
    if (is_letter(peek()) || is_digit(peek())) return 1;
    if (peek() == '.' && (is_letter(peek(1)) || is_digit(peek(1)))) return 1;
    if (peek() == '-' && peek(1) == '>' && is_letter(peek(2))) return 2;
    size_t digits = 0;
    while (peek() == '[' && is_digit(peek(1 + digits))) ++digits;
    return digits != 0 && peek(1 + digits) == ']' ? digits + 2 : 0;
  }

  Result<void> name() {
    const size_t first = m_at++;
    for (size_t more = 1; more != 0; m_at += more) more = of_name();
    const std::string_view text = m_text.substr(first, m_at - first);
    skip();
    if (take('(')) return text == "sum" ? sum(first) : call(text, first);
    if (take('[')) return element(std::string(text), first);
    if (text == "true" || text == "false") return add(Op::number, 0, 0, text == "true");
    return add(Op::name, 0, listed(m_tree.m_names, std::string(text), first));
  }

  Result<void> element(std::string array, size_t first) {
    if (Result<void> index = choice(); !index) return index;
    if (Result<void> closed = close(']'); !closed) return closed;
    const Node& index = m_tree.m_nodes.back();
    if (index.op != Op::number || index.value.type() != Type::whole)
      return add(Op::element, 1, listed(m_tree.m_arrays, std::move(array), first));
    // list[ 3 ] is the name list[3].
    array += fmt::format("[{}]", index.value.whole());
    m_tree.m_nodes.pop_back();
    --m_waiting;
    return add(Op::name, 0, listed(m_tree.m_names, std::move(array), first));
  }

  static uint32_t listed(std::vector<Tree::Name>& names, std::string text, size_t at) {
    const auto known = std::ranges::find(names, text, &Tree::Name::text);
    const auto which = static_cast<uint32_t>(known - names.begin());
    if (known == names.end()) names.push_back({std::move(text), at + 1});
    return which;
  }

  // sum(out) is a name as out[3] is: whoever knows the array knows it.
  Result<void> sum(size_t first) {
    const size_t begin = m_at;
    while (is_in_name(peek())) ++m_at;
    const std::string_view array = m_text.substr(begin, m_at - begin);
    skip();
    if (array.empty() || !take(')')) return wrong(begin, "sum has the name of an array: sum(out).");
    return add(Op::name, 0, listed(m_tree.m_names, fmt::format("sum({})", array), first));
  }

  Result<void> call(std::string_view name, size_t at) {
    const auto function = std::ranges::find(functions(), name, &Function::name);
    if (function == functions().end()) return wrong(at, fmt::format("there is no function {}.", name));
    const auto which = static_cast<uint32_t>(function - functions().begin());
    // min and max take more than two: min(a, b, c) is min(min(a, b), c).
    const bool more = function->op == Op::smaller || function->op == Op::larger;
    uint32_t count = 0;
    do {
      if (Result<void> read = choice(); !read) return read;
      if (++count < 2 || !more) continue;
      if (Result<void> made = add(function->op, 2, which); !made) return made;
    } while ((count < function->operands || more) && take(','));
    if (count < function->operands || peek() == ',')
      return wrong(m_at, fmt::format("{} takes {} {}.", name, function->operands,
                                     function->operands == 1 ? "value" : "values"));
    if (Result<void> closed = close(')'); !closed) return closed;
    if (more) return {};
    Node& last = m_tree.m_nodes.back();
    if (name == "ceil" && last.op == Op::divide) {
      last.op = Op::quotient_up;
      return {};
    }
    return add(function->op, count, which);
  }

  std::string_view m_text;
  Tree m_tree;
  size_t m_at = 0;
  uint32_t m_depth = 0;
  uint32_t m_waiting = 0;  // values that wait for their operator while the nodes before are computed
};

Result<Tree> parse(std::string_view text) { return Parser(text).run(); }

}  // namespace warplens::expression
