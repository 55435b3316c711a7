#include "core/base/c_expression.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace warplens {

namespace {

using Op = CExpression::Op;

constexpr size_t longest_expression = 4000;
constexpr uint32_t deepest = 200;

struct Binary {
  std::string_view sign;
  int rank;  // binds the more the larger it is
  Op op;
};
// Signs of two characters first.
constexpr Binary binaries[] = {
    {"||", 1, Op::either},     {"&&", 2, Op::both},        {"==", 6, Op::equal},
    {"!=", 6, Op::unequal},    {"<=", 7, Op::less_equal},  {">=", 7, Op::greater_equal},
    {"<<", 8, Op::shift_left}, {">>", 8, Op::shift_right}, {"|", 3, Op::bit_or},
    {"^", 4, Op::bit_xor},     {"&", 5, Op::bit_and},      {"<", 7, Op::less},
    {">", 7, Op::greater},     {"+", 9, Op::add},          {"-", 9, Op::subtract},
    {"*", 10, Op::multiply},   {"/", 10, Op::divide},      {"%", 10, Op::remainder},
};

struct Function {
  std::string_view name;
  uint32_t operands;
  Op op;
};
constexpr Function functions[] = {{"abs", 1, Op::absolute}, {"min", 2, Op::smaller}, {"max", 2, Op::larger}};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'; }
}  // namespace

class CExpressionParser {
 public:
  CExpressionParser(std::string_view text, CExpression& made) : m_text(text), m_made(made) {}

  Result<void> run() {
    if (m_text.size() > longest_expression) return wrong(longest_expression, "it is too long.");
    skip();
    if (m_at == m_text.size()) return wrong(0, "it is empty; write something like lane == 17 && %r7 > 3.");
    const Result<uint32_t> root = choice();
    if (!root) return root.error();
    if (m_at < m_text.size()) return unexpected();
    m_made.m_root = *root;
    return {};
  }

 private:
  using Node = CExpression::Node;

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
    while (peek() == ' ' || peek() == '\t') ++m_at;
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++m_at;
    skip();
    return true;
  }
  uint32_t add(Node node) {
    m_made.m_nodes.push_back(node);
    return static_cast<uint32_t>(m_made.m_nodes.size() - 1);
  }

  Result<uint32_t> choice() {
    if (++m_depth > deepest) return wrong(m_at, "it is nested too deeply.");
    Result<uint32_t> condition = joined(1);
    if (condition && take('?')) {
      Result<uint32_t> yes = choice();
      if (!yes) return yes;
      if (!take(':')) return wrong(m_at, "a ? needs a : after its first value.");
      Result<uint32_t> no = choice();
      if (!no) return no;
      condition = add({.op = Op::choose, .a = *condition, .b = *yes, .c = *no});
    }
    --m_depth;
    return condition;
  }

  const Binary* next_binary() const {
    const auto* found = std::ranges::find_if(
        binaries, [&](const Binary& row) { return m_text.substr(m_at).starts_with(row.sign); });
    return found == std::end(binaries) ? nullptr : found;
  }

  Result<uint32_t> joined(int rank) {
    Result<uint32_t> left = unary();
    while (left) {
      const Binary* binary = next_binary();
      if (binary == nullptr || binary->rank < rank) break;
      m_at += binary->sign.size();
      skip();
      Result<uint32_t> right = joined(binary->rank + 1);
      if (!right) return right;
      left = add({.op = binary->op, .a = *left, .b = *right});
    }
    return left;
  }

  Result<uint32_t> unary() {
    if (++m_depth > deepest) return wrong(m_at, "it is nested too deeply.");
    Result<uint32_t> made = unsigned_unary();
    --m_depth;
    return made;
  }

  Result<uint32_t> unsigned_unary() {
    for (const auto& [sign, op] :
         {std::pair('-', Op::negate), std::pair('~', Op::invert), std::pair('!', Op::negation)}) {
      if (peek() != sign || (sign == '!' && peek(1) == '=')) continue;
      take(sign);
      Result<uint32_t> value = unary();
      return value ? Result<uint32_t>(add({.op = op, .a = *value})) : value;
    }
    if (take('+')) return unary();
    if (take('(')) {
      Result<uint32_t> value = choice();
      if (value && !take(')')) return m_at < m_text.size() ? unexpected() : wrong(m_at, "a ) is missing.");
      return value;
    }
    if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return number();
    if (is_letter(peek()) || (peek() == '%' && is_letter(peek(1)))) return name();
    return unexpected();
  }

  Result<uint32_t> number() {
    const size_t first = m_at;
    const bool is_hex = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
    if (is_hex) m_at += 2;
    const char* begin = m_text.data() + m_at;
    const char* const last = m_text.data() + m_text.size();
    uint64_t whole = 0;
    auto [end, error] = std::from_chars(begin, last, whole, is_hex ? 16 : 10);
    CNumber value = whole <= INT64_MAX ? CNumber(static_cast<int64_t>(whole)) : CNumber(whole);
    if (is_hex && (error != std::errc() || end == begin))
      return wrong(first, "a hexadecimal number has 1 to 16 digits after 0x.");
    const bool is_real = !is_hex && (begin == end || *end == '.' || *end == 'e' || *end == 'E');
    if (!is_hex && (is_real || error != std::errc())) {
      double real = 0;
      const auto read = std::from_chars(begin, last, real);
      if (read.ec != std::errc()) return wrong(first, "the number is out of range.");
      end = read.ptr;
      value = real;
    }
    m_at = static_cast<size_t>(end - m_text.data());
    const std::string_view digits = m_text.substr(first, m_at - first);
    while (std::string_view("fuUlL").find(peek()) != std::string_view::npos && peek() != '\0') ++m_at;
    if (is_letter(peek()) || is_digit(peek()))
      return wrong(m_at, fmt::format("the number {} goes on with \"{}\".", digits, peek()));
    skip();
    return add({.number = value});
  }

  // How many of the next characters belong to a name: a letter, a digit, or a part of a variable: ".x",
  // "->x",
  // "[3]".
  size_t of_name() const {
    if (is_letter(peek()) || is_digit(peek()) || (peek() == '.' && is_letter(peek(1)))) return 1;
    if (peek() == '-' && peek(1) == '>' && is_letter(peek(2))) return 2;
    size_t digits = 0;
    while (peek() == '[' && is_digit(peek(1 + digits))) ++digits;
    return digits != 0 && peek(1 + digits) == ']' ? digits + 2 : 0;
  }

  Result<uint32_t> name() {
    const size_t first = m_at++;
    for (size_t more = 1; more != 0; m_at += more) more = of_name();
    const std::string_view text = m_text.substr(first, m_at - first);
    skip();
    if (take('(')) return call(text, first);
    if (text == "true" || text == "false") return add({.number = int64_t{text == "true" ? 1 : 0}});
    const auto known = std::ranges::find(m_made.m_names, text);
    const auto which = static_cast<uint32_t>(known - m_made.m_names.begin());
    if (known == m_made.m_names.end()) {
      m_made.m_names.emplace_back(text);
      m_made.m_columns.push_back(first + 1);
    }
    return add({.op = Op::name, .a = which});
  }

  Result<uint32_t> call(std::string_view name, size_t at) {
    const auto* const found = std::ranges::find(functions, name, &Function::name);
    if (found == std::end(functions))
      return wrong(at, fmt::format("there is no function {}; abs, min and max are there.", name));
    Node node{.op = found->op};
    for (uint32_t i = 0; i < found->operands; ++i) {
      if (i != 0 && !take(',')) return wrong(m_at, fmt::format("{} takes {} values.", name, found->operands));
      Result<uint32_t> value = choice();
      if (!value) return value;
      (i == 0 ? node.a : node.b) = *value;
    }
    if (!take(')')) return wrong(m_at, "a ) is missing.");
    return add(node);
  }

  std::string_view m_text;
  CExpression& m_made;
  size_t m_at = 0;
  uint32_t m_depth = 0;
};

Result<CExpression> CExpression::parse(std::string_view text) {
  CExpression made;
  if (const Result<void> parsed = CExpressionParser(text, made).run(); !parsed) return parsed.error();
  return made;
}

double as_double(const CNumber& number) {
  return std::visit([](auto value) { return static_cast<double>(value); }, number);
}

bool is_true(const CNumber& number) {
  return std::visit([](auto value) { return value != 0; }, number);
}

namespace {

using MaybeNumber = std::optional<CNumber>;

bool is_real(const CNumber& number) { return std::holds_alternative<double>(number); }
// As C converts it.
uint64_t bits_of(const CNumber& number) {
  const auto* const whole = std::get_if<int64_t>(&number);
  return whole != nullptr ? static_cast<uint64_t>(*whole) : std::get<uint64_t>(number);
}

// -1, 0, 1; exact also between signed and unsigned. Empty: NaN.
std::optional<int> order(const CNumber& a, const CNumber& b) {
  if (is_real(a) || is_real(b)) {
    const double x = as_double(a), y = as_double(b);
    if (std::isnan(x) || std::isnan(y)) return std::nullopt;
    return x < y ? -1 : x > y ? 1 : 0;
  }
  const auto negative = [](const CNumber& n) {
    return std::holds_alternative<int64_t>(n) && std::get<int64_t>(n) < 0;
  };
  if (negative(a) != negative(b)) return negative(a) ? -1 : 1;
  const uint64_t x = bits_of(a), y = bits_of(b);  // of two negative ones the order is that of their bits
  return x < y ? -1 : x > y ? 1 : 0;
}

bool compares(Op op, std::optional<int> order) {
  if (!order) return op == Op::unequal;
  switch (op) {
    case Op::equal:
      return *order == 0;
    case Op::unequal:
      return *order != 0;
    case Op::less:
      return *order < 0;
    case Op::less_equal:
      return *order <= 0;
    case Op::greater:
      return *order > 0;
    default:
      return *order >= 0;
  }
}

// Sums, differences and products that are defined for all values: of doubles, and of unsigned numbers, which
// wrap. Empty: another operation.
template <class T>
MaybeNumber of_all_values(Op op, T a, T b) {
  switch (op) {
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    default:
      return std::nullopt;
  }
}

MaybeNumber of_doubles(Op op, double a, double b) {
  if (op == Op::divide) return a / b;
  if (op == Op::remainder) return std::fmod(a, b);
  return of_all_values(op, a, b);  // doubles have no bits
}

MaybeNumber of_signed(Op op, int64_t a, int64_t b) {
  int64_t value = 0;
  const bool halves = op == Op::divide || op == Op::remainder;
  if (halves && (b == 0 || (a == INT64_MIN && b == -1))) return std::nullopt;
  const bool overflows = op == Op::add        ? __builtin_add_overflow(a, b, &value)
                         : op == Op::subtract ? __builtin_sub_overflow(a, b, &value)
                                              : op == Op::multiply && __builtin_mul_overflow(a, b, &value);
  if (overflows) return std::nullopt;
  if (halves) value = op == Op::divide ? a / b : a % b;
  return value;
}

MaybeNumber of_unsigned(Op op, uint64_t a, uint64_t b) {
  if (op != Op::divide && op != Op::remainder) return of_all_values(op, a, b);
  if (b == 0) return std::nullopt;
  return op == Op::divide ? a / b : a % b;
}

MaybeNumber of_bits(Op op, const CNumber& a, const CNumber& b) {
  const uint64_t x = bits_of(a), y = bits_of(b);
  const bool is_unsigned = std::holds_alternative<uint64_t>(a) || std::holds_alternative<uint64_t>(b);
  const auto made = [&](uint64_t bits) {
    return is_unsigned ? MaybeNumber(bits) : MaybeNumber(static_cast<int64_t>(bits));
  };
  switch (op) {
    case Op::bit_or:
      return made(x | y);
    case Op::bit_xor:
      return made(x ^ y);
    case Op::bit_and:
      return made(x & y);
    default:
      break;
  }
  if (y > 63) return std::nullopt;
  if (const auto* const whole = std::get_if<int64_t>(&a))
    return op == Op::shift_left ? MaybeNumber(static_cast<int64_t>(x << y)) : MaybeNumber(*whole >> y);
  return op == Op::shift_left ? x << y : x >> y;
}

MaybeNumber of_two(Op op, const CNumber& a, const CNumber& b) {
  if (op >= Op::equal && op <= Op::greater_equal) return int64_t{compares(op, order(a, b)) ? 1 : 0};
  if (op == Op::smaller || op == Op::larger) {
    const std::optional<int> which = order(a, b);
    if (!which) return std::nullopt;
    return (*which <= 0) == (op == Op::smaller) ? a : b;
  }
  if (is_real(a) || is_real(b)) return of_doubles(op, as_double(a), as_double(b));
  if (op == Op::bit_or || op == Op::bit_xor || op == Op::bit_and || op == Op::shift_left ||
      op == Op::shift_right)
    return of_bits(op, a, b);
  if (std::holds_alternative<uint64_t>(a) || std::holds_alternative<uint64_t>(b))
    return of_unsigned(op, bits_of(a), bits_of(b));
  return of_signed(op, std::get<int64_t>(a), std::get<int64_t>(b));
}

MaybeNumber of_one(Op op, const CNumber& value) {
  if (op == Op::negation) return int64_t{is_true(value) ? 0 : 1};
  if (const auto* const real = std::get_if<double>(&value)) {
    if (op == Op::invert) return std::nullopt;
    return op == Op::negate ? -*real : std::abs(*real);
  }
  if (op == Op::invert)
    return std::holds_alternative<int64_t>(value) ? MaybeNumber(~std::get<int64_t>(value))
                                                  : MaybeNumber(~bits_of(value));
  const bool turns = op == Op::negate || *order(value, int64_t{0}) < 0;
  return turns ? of_two(Op::subtract, int64_t{0}, value) : value;
}

}  // namespace

MaybeNumber CExpression::value_of(uint32_t node, std::span<const MaybeNumber> values) const {
  const Node& at = m_nodes[node];
  if (at.op == Op::number) return at.number;
  if (at.op == Op::name) return at.a < values.size() ? values[at.a] : std::nullopt;
  const MaybeNumber first = value_of(at.a, values);
  if (!first) return std::nullopt;
  switch (at.op) {
    case Op::choose:
      return value_of(is_true(*first) ? at.b : at.c, values);
    case Op::either:
    case Op::both: {
      if (is_true(*first) == (at.op == Op::either)) return int64_t{at.op == Op::either ? 1 : 0};
      const MaybeNumber second = value_of(at.b, values);
      return second ? MaybeNumber(int64_t{is_true(*second) ? 1 : 0}) : std::nullopt;
    }
    case Op::negate:
    case Op::invert:
    case Op::negation:
    case Op::absolute:
      return of_one(at.op, *first);
    default:
      break;
  }
  const MaybeNumber second = value_of(at.b, values);
  return second ? of_two(at.op, *first, *second) : std::nullopt;
}

MaybeNumber CExpression::evaluate(std::span<const MaybeNumber> values) const {
  return value_of(m_root, values);
}

}  // namespace warplens
