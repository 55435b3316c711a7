#include "tests/core/reference/arithmetic.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace warplens::reference {

namespace {

using ptx::Modifier;
using ptx::Opcode;

bool has(std::span<const Modifier> modifiers, Modifier wanted) {
  return std::ranges::find(modifiers, wanted) != modifiers.end();
}

// All modifiers that compute understands after an opcode; another modifier may change its meaning.
bool understood(std::span<const Modifier> modifiers) {
  constexpr Modifier known[] = {Modifier::lo,   Modifier::hi,    Modifier::wide,     Modifier::rn,
                                Modifier::rzi,  Modifier::rni,   Modifier::left,     Modifier::right,
                                Modifier::wrap, Modifier::clamp, Modifier::shiftamt, Modifier::sat};
  return std::ranges::all_of(modifiers, [&](Modifier m) {
    return kind_of(m) == ptx::ModifierKind::type || std::ranges::find(known, m) != std::end(known);
  });
}

bool is_negative(uint64_t value, uint32_t bits) { return (value >> (bits - 1) & 1) != 0; }

// The upper half of a product of 64-bit numbers, from four of 32 bits (PTX ISA 9.7.1.3).
uint64_t upper_half(uint64_t a, uint64_t b, bool with_sign) {
  const uint64_t al = low_bits(a, 32), ah = a >> 32, bl = low_bits(b, 32), bh = b >> 32;
  const uint64_t middle = ah * bl + (al * bl >> 32);
  const uint64_t other = al * bh + low_bits(middle, 32);
  uint64_t high = ah * bh + (middle >> 32) + (other >> 32);
  if (with_sign && is_negative(a, 64)) high -= b;
  if (with_sign && is_negative(b, 64)) high -= a;
  return high;
}

uint64_t product(std::span<const Modifier> modifiers, Modifier type, uint64_t a, uint64_t b) {
  const uint32_t bits = ptx::bits_of(type);
  const uint64_t x = number_of(a, type), y = number_of(b, type);
  if (has(modifiers, Modifier::hi))
    return bits == 64 ? upper_half(x, y, ptx::is_signed(type)) : low_bits(x * y >> bits, bits);
  return low_bits(x * y, has(modifiers, Modifier::wide) ? 2 * bits : bits);
}

bool less(Modifier type, uint64_t a, uint64_t b) {
  const uint64_t x = number_of(a, type), y = number_of(b, type);
  return ptx::is_signed(type) ? static_cast<int64_t>(x) < static_cast<int64_t>(y) : x < y;
}

std::optional<uint64_t> quotient(Opcode opcode, Modifier type, uint64_t a, uint64_t b) {
  uint64_t x = number_of(a, type), y = number_of(b, type);
  if (y == 0) return std::nullopt;  // PTX leaves the value open
  const uint32_t bits = ptx::bits_of(type);
  const bool a_negative = ptx::is_signed(type) && is_negative(x, 64);
  const bool b_negative = ptx::is_signed(type) && is_negative(y, 64);
  if (a_negative) x = 0 - x;
  if (b_negative) y = 0 - y;
  if (opcode == Opcode::div) return low_bits(a_negative != b_negative ? 0 - x / y : x / y, bits);
  return low_bits(a_negative ? 0 - x % y : x % y, bits);  // the sign of the dividend
}

uint64_t shifted(Opcode opcode, Modifier type, uint64_t a, uint64_t by) {
  const uint32_t bits = ptx::bits_of(type);
  const uint64_t amount = low_bits(by, 32), value = number_of(a, type);
  if (opcode == Opcode::shl) return amount >= bits ? 0 : low_bits(value << amount, bits);
  if (!ptx::is_signed(type)) return amount >= bits ? 0 : value >> amount;
  return low_bits(static_cast<uint64_t>(static_cast<int64_t>(value) >> std::min<uint64_t>(amount, 63)), bits);
}

// The manual takes the low eight bits of a position and a length; of the 64-bit forms hardware takes all
// (tests/data/ptx/bfe.cases, form s64).
uint64_t field(Modifier type, uint64_t value) { return low_bits(value, ptx::bits_of(type) == 64 ? 32 : 8); }

// PTX ISA 9.7.1.19, bit by bit as the manual writes it.
uint64_t extracted(Modifier type, uint64_t a, uint64_t position, uint64_t length) {
  const uint32_t bits = ptx::bits_of(type);
  const uint64_t pos = field(type, position), len = field(type, length);
  uint64_t sign = 0;
  if (ptx::is_signed(type) && len != 0) sign = a >> std::min<uint64_t>(pos + len - 1, bits - 1) & 1;
  uint64_t d = 0;
  for (uint64_t i = 0; i < bits; ++i) d |= (i < len && pos + i < bits ? a >> (pos + i) & 1 : sign) << i;
  return d;
}

uint64_t inserted(Modifier type, uint64_t a, uint64_t b, uint64_t position, uint64_t length) {
  const uint32_t bits = ptx::bits_of(type);
  const uint64_t pos = field(type, position), len = field(type, length);
  uint64_t d = low_bits(b, bits);
  for (uint64_t i = 0; i < len && pos + i < bits; ++i)
    d = (d & ~(uint64_t{1} << (pos + i))) | (a >> i & 1) << (pos + i);
  return d;
}

uint64_t highest_bit(std::span<const Modifier> modifiers, Modifier type, uint64_t a) {
  const uint32_t bits = ptx::bits_of(type);
  if (ptx::is_signed(type) && is_negative(a, bits)) a = ~a;
  for (uint32_t i = bits; i-- > 0;)
    if ((a >> i & 1) != 0) return has(modifiers, Modifier::shiftamt) ? bits - 1 - i : i;
  return 0xffffffff;
}

uint64_t permuted(uint64_t a, uint64_t b, uint64_t selector) {
  const uint64_t bytes = low_bits(a, 32) | b << 32;
  uint64_t d = 0;
  for (uint32_t i = 0; i < 4; ++i) {
    const uint64_t choice = selector >> (4 * i) & 15, byte = bytes >> (8 * (choice & 7)) & 255;
    d |= (choice < 8 ? byte : byte > 127 ? 255 : 0) << (8 * i);
  }
  return d;
}

uint64_t looked_up(uint64_t a, uint64_t b, uint64_t c, uint64_t table) {
  uint64_t d = 0;
  for (uint32_t i = 0; i < 32; ++i)
    d |= (table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i;
  return d;
}

uint64_t funnelled(std::span<const Modifier> modifiers, uint64_t a, uint64_t b, uint64_t by) {
  const uint64_t both = b << 32 | low_bits(a, 32);
  const uint64_t n = has(modifiers, Modifier::wrap) ? by & 31 : std::min<uint64_t>(low_bits(by, 32), 32);
  return low_bits(has(modifiers, Modifier::left) ? both << n >> 32 : both >> n, 32);
}

uint64_t reversed(uint64_t a, uint32_t bits) {
  uint64_t d = 0;
  for (uint32_t i = 0; i < bits; ++i) d |= (a >> i & 1) << (bits - 1 - i);
  return d;
}

float float_of(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }
uint64_t bits_of_float(float value) {
  return std::isnan(value) ? 0x7fffffff : std::bit_cast<uint32_t>(value);
}

float smaller(float a, float b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? a : b;  // −0 is less than +0 here
  return a < b ? a : b;
}

std::optional<uint64_t> compute_float(Opcode opcode, std::span<const uint64_t> s) {
  const float a = float_of(s[0]), b = s.size() > 1 ? float_of(s[1]) : 0,
              c = s.size() > 2 ? float_of(s[2]) : 0;
  switch (opcode) {
    case Opcode::add:
      return bits_of_float(a + b);
    case Opcode::sub:
      return bits_of_float(a - b);
    case Opcode::mul:
      return bits_of_float(a * b);
    case Opcode::fma:
      return bits_of_float(std::fma(a, b, c));
    case Opcode::min:
      return bits_of_float(smaller(a, b));
    case Opcode::max:
      return bits_of_float(-smaller(-a, -b));
    default:
      return std::nullopt;
  }
}

uint64_t clamped(Modifier to, Modifier from, uint64_t a) {
  const uint32_t bits = ptx::bits_of(to);
  const uint64_t least = ptx::is_signed(to) ? ~uint64_t{0} << (bits - 1) : 0;
  const uint64_t most = ptx::is_signed(to) ? ~least : low_bits(~uint64_t{0}, bits);
  const bool negative = ptx::is_signed(from) && is_negative(a, 64);
  if (negative)
    return ptx::is_signed(to) && static_cast<int64_t>(a) > static_cast<int64_t>(least) ? a : least;
  return std::min(a, most);
}

std::optional<uint64_t> convert(std::span<const Modifier> modifiers, Modifier to, Modifier from,
                                uint64_t value) {
  if (from == Modifier::f32) {
    if ((to != Modifier::s32 && to != Modifier::u32) || has(modifiers, Modifier::sat)) return std::nullopt;
    const double a = float_of(value), low = to == Modifier::s32 ? -2147483648.0 : 0;
    const double high = to == Modifier::s32 ? 2147483647.0 : 4294967295.0;
    if (std::isnan(a)) return 0;
    const double whole = has(modifiers, Modifier::rni) ? std::nearbyint(a) : std::trunc(a);
    return low_bits(static_cast<uint64_t>(static_cast<int64_t>(std::clamp(whole, low, high))), 32);
  }
  if (ptx::is_float(from)) return std::nullopt;
  const uint64_t a = number_of(value, from);
  if (to == Modifier::f32) {
    if (!has(modifiers, Modifier::rn)) return std::nullopt;
    return bits_of_float(ptx::is_signed(from) ? static_cast<float>(static_cast<int64_t>(a))
                                              : static_cast<float>(a));
  }
  if (ptx::is_float(to)) return std::nullopt;
  // The sign is extended into a wider register.
  return number_of(has(modifiers, Modifier::sat) ? clamped(to, from, a) : a, to);
}

}  // namespace

uint64_t low_bits(uint64_t value, uint32_t bits) {
  return bits >= 64 ? value : value & ((uint64_t{1} << bits) - 1);
}

uint64_t number_of(uint64_t value, Modifier type) {
  const uint32_t bits = ptx::bits_of(type);
  const uint64_t low = low_bits(value, bits);
  return ptx::is_signed(type) && bits < 64 && is_negative(low, bits) ? low | ~uint64_t{0} << bits : low;
}

std::optional<bool> compare(Modifier how, Modifier type, uint64_t a, uint64_t b) {
  if (ptx::is_float(type) && type != Modifier::f32) return std::nullopt;
  bool is_less = false, is_equal = false, unordered = false;
  if (type == Modifier::f32) {
    is_less = float_of(a) < float_of(b);
    is_equal = float_of(a) == float_of(b);
    unordered = std::isnan(float_of(a)) || std::isnan(float_of(b));
  } else {
    is_less = less(type, a, b);
    is_equal = number_of(a, type) == number_of(b, type);
  }
  switch (how) {
    case Modifier::eq:
      return is_equal;
    case Modifier::ne:
      return !is_equal && !unordered;
    case Modifier::lt:
    case Modifier::lo:
      return is_less;
    case Modifier::le:
    case Modifier::ls:
      return is_less || is_equal;
    case Modifier::gt:
    case Modifier::hi:
      return !is_less && !is_equal && !unordered;
    case Modifier::ge:
    case Modifier::hs:
      return !is_less && !unordered;
    default:
      return std::nullopt;
  }
}

std::optional<uint64_t> combine(Modifier operation, Modifier type, uint64_t old_value, uint64_t operand) {
  if (ptx::is_float(type)) return std::nullopt;
  const uint32_t bits = ptx::bits_of(type);
  switch (operation) {
    case Modifier::add:
      return low_bits(old_value + operand, bits);
    case Modifier::min:
      return less(type, operand, old_value) ? operand : old_value;
    case Modifier::max:
      return less(type, old_value, operand) ? operand : old_value;
    case Modifier::and_:
      return old_value & operand;
    case Modifier::or_:
      return old_value | operand;
    case Modifier::xor_:
      return old_value ^ operand;
    case Modifier::inc:
      return old_value >= operand ? 0 : old_value + 1;
    case Modifier::dec:
      return old_value == 0 || old_value > operand ? operand : old_value - 1;
    case Modifier::exch:
      return operand;
    default:
      return std::nullopt;
  }
}

std::optional<uint64_t> compute(const ptx::Instruction& instruction, std::span<const Modifier> modifiers,
                                std::span<const uint64_t> s) {
  if (!understood(modifiers) || s.empty()) return std::nullopt;
  std::vector<Modifier> types;
  for (const Modifier m : modifiers)
    if (kind_of(m) == ptx::ModifierKind::type) types.push_back(m);
  if (types.empty()) return std::nullopt;
  const Modifier type = types.back();
  const uint32_t bits = ptx::bits_of(type);
  const Opcode opcode = instruction.opcode;
  if (opcode == Opcode::cvt)
    return types.size() == 2 ? convert(modifiers, types[0], types[1], s[0]) : std::nullopt;
  if (has(modifiers, Modifier::sat) || types.size() != 1) return std::nullopt;
  if (opcode == Opcode::mov) return low_bits(s[0], bits);
  if (type == Modifier::f32) return compute_float(opcode, s);
  if (ptx::is_float(type)) return std::nullopt;
  switch (opcode) {
    case Opcode::add:
      return low_bits(s[0] + s[1], bits);
    case Opcode::sub:
      return low_bits(s[0] - s[1], bits);
    case Opcode::mul:
      return product(modifiers, type, s[0], s[1]);
    case Opcode::mad:
      return low_bits(product(modifiers, type, s[0], s[1]) + s[2],
                      has(modifiers, Modifier::wide) ? 2 * bits : bits);
    case Opcode::div:
    case Opcode::rem:
      return quotient(opcode, type, s[0], s[1]);
    case Opcode::min:
    case Opcode::max:
      return low_bits(less(type, s[0], s[1]) == (opcode == Opcode::min) ? s[0] : s[1], bits);
    case Opcode::abs:
      return low_bits(is_negative(low_bits(s[0], bits), bits) ? 0 - s[0] : s[0], bits);
    case Opcode::neg:
      return low_bits(0 - s[0], bits);
    case Opcode::sad:
      return low_bits(s[2] + (less(type, s[0], s[1]) ? s[1] - s[0] : s[0] - s[1]), bits);
    case Opcode::and_:
      return low_bits(s[0] & s[1], bits);
    case Opcode::or_:
      return low_bits(s[0] | s[1], bits);
    case Opcode::xor_:
      return low_bits(s[0] ^ s[1], bits);
    case Opcode::not_:
      return low_bits(~s[0], bits);
    case Opcode::cnot:
      return low_bits(s[0], bits) == 0 ? 1 : 0;
    case Opcode::shl:
    case Opcode::shr:
      return shifted(opcode, type, s[0], s[1]);
    case Opcode::popc:
      return static_cast<uint64_t>(std::popcount(low_bits(s[0], bits)));
    case Opcode::clz:
      return static_cast<uint64_t>(std::countl_zero(low_bits(s[0], bits))) - (64 - bits);
    case Opcode::brev:
      return reversed(s[0], bits);
    case Opcode::bfe:
      return extracted(type, s[0], s[1], s[2]);
    case Opcode::bfi:
      return inserted(type, s[0], s[1], s[2], s[3]);
    case Opcode::bfind:
      return highest_bit(modifiers, type, low_bits(s[0], bits));
    case Opcode::prmt:
      return permuted(s[0], s[1], s[2]);
    case Opcode::lop3:
      return looked_up(s[0], s[1], s[2], s[3]);
    case Opcode::shf:
      return funnelled(modifiers, s[0], s[1], s[2]);
    default:
      return std::nullopt;
  }
}

}  // namespace warplens::reference
