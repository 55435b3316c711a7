// Numbers and constant expressions, PTX ISA 4.5.
#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "core/ptx/parser/parser.h"

namespace warplens::ptx {

namespace {

bool is_float(const Constant& constant) {
  return constant.type == Modifier::f32 || constant.type == Modifier::f64;
}

double to_double(const Constant& constant) {
  if (constant.type == Modifier::f64) return std::bit_cast<double>(constant.bits);
  if (constant.type == Modifier::f32) return std::bit_cast<float>(static_cast<uint32_t>(constant.bits));
  if (constant.type == Modifier::u64) return static_cast<double>(constant.bits);
  return static_cast<double>(static_cast<int64_t>(constant.bits));
}

Constant from_double(double value) { return {std::bit_cast<uint64_t>(value), Modifier::f64}; }

// 0f3F800000 and 0d3FF0000000000000: the bits themselves.
bool hex_float(std::string_view digits, size_t wanted, Modifier type, Constant& value) {
  if (digits.size() != wanted) return false;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value.bits, 16);
  value.type = type;
  return error == std::errc() && end == digits.data() + digits.size();
}

bool integer(std::string_view text, Constant& value) {
  const bool is_unsigned = text.ends_with('U');
  if (is_unsigned) text.remove_suffix(1);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
  } else if (text.starts_with("0b") || text.starts_with("0B")) {
    base = 2;
  } else if (text.starts_with('0') && text.size() > 1) {
    base = 8;
  }
  text.remove_prefix(base == 16 || base == 2 ? 2 : 0);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value.bits, base);
  value.type = is_unsigned || value.bits > INT64_MAX ? Modifier::u64 : Modifier::s64;
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

bool decimal_float(std::string_view text, Constant& value) {
  double result = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
  value = from_double(result);
  return error == std::errc() && end == text.data() + text.size();
}

// The precedence of a binary operator. 0 if the token is not one.
int strength(const Token& token) {
  if (token.kind != TokenKind::punctuation) return 0;
  switch (token.text[0]) {
    case '*':
    case '/':
    case '%':
      return 6;
    case '+':
    case '-':
      return 5;
    case '<':
    case '>':
      return 4;  // << and >>
    case '&':
      return 3;
    case '^':
      return 2;
    default:
      return 0;  // '|' separates the two predicates of an operand
  }
}

Constant float_result(char op, const Constant& a, const Constant& b) {
  const double x = to_double(a), y = to_double(b);
  return from_double(op == '*' ? x * y : op == '/' ? x / y : op == '+' ? x + y : x - y);
}

uint64_t divide(char op, const Constant& a, const Constant& b, bool is_unsigned) {
  const auto x = static_cast<int64_t>(a.bits), y = static_cast<int64_t>(b.bits);
  if (is_unsigned) return op == '/' ? a.bits / b.bits : a.bits % b.bits;
  if (y == -1) return op == '/' ? 0 - a.bits : 0;  // INT64_MIN / -1 would trap
  return static_cast<uint64_t>(op == '/' ? x / y : x % y);
}

Constant integer_result(char op, const Constant& a, const Constant& b) {
  const bool is_unsigned = a.type == Modifier::u64 || b.type == Modifier::u64;
  Constant result{0, is_unsigned ? Modifier::u64 : Modifier::s64};
  switch (op) {
    case '*':
      result.bits = a.bits * b.bits;
      break;
    case '+':
      result.bits = a.bits + b.bits;
      break;
    case '-':
      result.bits = a.bits - b.bits;
      break;
    case '&':
      result.bits = a.bits & b.bits;
      break;
    case '^':
      result.bits = a.bits ^ b.bits;
      break;
    case '<':
      result.bits = b.bits < 64 ? a.bits << b.bits : 0;
      break;
    case '>':
      result.bits = b.bits < 64 ? a.bits >> b.bits : 0;
      break;
    default:
      result.bits = divide(op, a, b, is_unsigned);
  }
  return result;
}

}  // namespace

bool Parser::number(const Token& token, Constant& value) {
  const std::string_view text = token.text;
  const std::string_view prefix = text.substr(0, 2);
  bool good = false;
  if (prefix == "0f" || prefix == "0F") {
    good = hex_float(text.substr(2), 8, Modifier::f32, value);
  } else if (prefix == "0d" || prefix == "0D") {
    good = hex_float(text.substr(2), 16, Modifier::f64, value);
  } else if (prefix != "0x" && prefix != "0X" && text.find_first_of(".eE") != std::string_view::npos) {
    good = decimal_float(text, value);
  } else {
    good = integer(text, value);
  }
  if (good) return true;
  return fail(token,
              fmt::format("'{}' is no PTX number: write 12, 0x1F, 1.5, 0f and 8 hexadecimal digits or 0d "
                          "and 16; integers have at most 64 bits.",
                          text.substr(0, 40)));
}

bool Parser::at_constant() const {
  return m_token.kind == TokenKind::number || m_token.is('-') || m_token.is('+') || m_token.is('~') ||
         m_token.is('(') || (m_token.kind == TokenKind::identifier && m_token.text == "WARP_SZ");
}

bool Parser::constant(Constant& value) { return constant_binary(value, 1, 0); }

bool Parser::constant_binary(Constant& value, int minimum, uint32_t depth) {
  if (!constant_unary(value, depth)) return false;
  for (int level = strength(m_token); level >= minimum; level = strength(m_token)) {
    const Token at = m_token;
    advance();
    if ((at.is('<') || at.is('>')) && !accept(at.text[0])) return fail(at, "Constants know << and >> only.");
    Constant right;
    if (!constant_binary(right, level + 1, depth + 1)) return false;
    const bool floats = is_float(value) || is_float(right);
    if (floats && level < 5) return fail(at, "This operator works on integers, and one side is a float.");
    if (floats && at.is('%')) return fail(at, "A remainder of floats is no PTX constant.");
    if (!floats && level == 6 && !at.is('*') && right.bits == 0) return fail(at, "This divides by zero.");
    value = floats ? float_result(at.text[0], value, right) : integer_result(at.text[0], value, right);
  }
  return true;
}

bool Parser::constant_unary(Constant& value, uint32_t depth) {
  const Token at = m_token;
  if (depth > k_max_expression_depth)
    return fail(at, "This constant expression is nested too deeply; simplify it.");
  if (accept('+')) return constant_unary(value, depth + 1);
  if (accept('-')) {
    if (!constant_unary(value, depth + 1)) return false;
    if (value.type == Modifier::f32) {
      value.bits ^= uint64_t{1} << 31;
    } else if (value.type == Modifier::f64) {
      value.bits ^= uint64_t{1} << 63;
    } else {
      value = {0 - value.bits, Modifier::s64};
    }
    return true;
  }
  if (accept('~')) {
    if (!constant_unary(value, depth + 1)) return false;
    if (is_float(value)) return fail(at, "~ works on integers, and this is a float.");
    value.bits = ~value.bits;
    return true;
  }
  if (accept('(')) return constant_binary(value, 1, depth + 1) && expect(')', "to end the constant");
  if (m_token.kind == TokenKind::identifier && m_token.text == "WARP_SZ") {
    advance();
    value = {32, Modifier::s64};
    return true;
  }
  if (m_token.kind != TokenKind::number) return fail_here("a number");
  advance();
  return number(at, value);
}

bool Parser::unsigned_constant(uint64_t& value, std::string_view what) {
  const Token at = m_token;
  Constant result;
  if (!constant(result)) return false;
  if (is_float(result) || (result.type == Modifier::s64 && result.bits > INT64_MAX)) {
    return fail(at, fmt::format("{} must be a whole number, not negative.", what));
  }
  value = result.bits;
  return true;
}

}  // namespace warplens::ptx
