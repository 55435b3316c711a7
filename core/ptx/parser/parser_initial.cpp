// Initial values of variables, PTX ISA 5.4.4.
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "core/ptx/parser/parser.h"

namespace warplens::ptx {

namespace {

constexpr uint64_t k_max_relocations = uint64_t{1} << 20;

}  // namespace

bool Parser::initial_value(Variable& entry, std::vector<uint64_t>& sizes, bool unsized) {
  const uint64_t element = bits_of(entry.type) / 8;
  if (element == 0 || element > 8) return fail_here("no initial value for this type");
  std::vector<uint64_t> levels = sizes;
  if (entry.vector > 1) levels.push_back(entry.vector);
  uint64_t count = 0;
  if (levels.empty()) return initial_element(entry, 0);
  if (!m_token.is('{')) return fail_here("'{' before the values of an array");
  if (!initial_level(entry, levels, 0, 0, count)) return false;
  if (unsized) sizes[0] = count;
  return true;
}

// One { } of an array; missing values are zeros, as in C. `first` is the number of its first element.
bool Parser::initial_level(Variable& entry, const std::vector<uint64_t>& levels, size_t level, uint64_t first,
                           uint64_t& count) {
  uint64_t inner = 1;
  for (size_t i = level + 1; i < levels.size(); ++i) {
    if (levels[i] != 0 && inner > k_max_initial_bytes / levels[i]) return fail_here("fewer elements");
    inner *= levels[i];
  }
  const bool counted = level > 0 || levels[level] != 0;
  uint64_t scalars = 0;  // after `first`
  if (!expect('{', "before the values")) return false;
  while (!m_token.is('}')) {
    if (counted && scalars >= levels[level] * inner) return fail_here("'}': the array has no more elements");
    if (m_token.is('{') && level + 1 < levels.size()) {
      scalars = (scalars + inner - 1) / (inner == 0 ? 1 : inner) * inner;
      uint64_t ignored = 0;
      if (!initial_level(entry, levels, level + 1, first + scalars, ignored)) return false;
      scalars += inner;
    } else {
      if (!initial_element(entry, first + scalars)) return false;
      ++scalars;
    }
    if (!accept(',')) break;
  }
  count = inner == 0 ? 0 : (scalars + inner - 1) / inner;
  return expect('}', "after the values");
}

bool Parser::initial_element(Variable& entry, uint64_t element) {
  const Token at = m_token;
  const uint64_t offset = element * (bits_of(entry.type) / 8);
  if (at.kind == TokenKind::identifier && at.text != "WARP_SZ") return initial_symbol(entry, offset);
  if (at.kind == TokenKind::string)
    return fail(at, "Write the characters of a string as numbers: {72, 105, 0}.");
  Constant value;
  if (!constant(value)) return false;
  const bool is_mask = m_token.is('(') && at.kind == TokenKind::number;
  return is_mask ? initial_mask(entry, offset, value.bits, at) : store_initial(entry, offset, value, at);
}

// 0xFF00(symbol): a byte of an address, PTX ISA 5.4.4.
bool Parser::initial_mask(Variable& entry, uint64_t offset, uint64_t mask, const Token& at) {
  const uint32_t shift = static_cast<uint32_t>(std::countr_zero(mask));
  if (mask == 0 || shift % 8 != 0 || mask != uint64_t{0xff} << shift || bits_of(entry.type) != 8) {
    return fail(at, "A mask before '(' takes one byte of an address, such as 0xFF00, for an array of .b8.");
  }
  advance();
  Relocation relocation;
  relocation.offset = offset;
  relocation.bytes = 1;
  relocation.mask = mask;
  Token name;
  if (!expect_name("a variable after a mask", name)) return false;
  if (name.text == "generic" && accept('(')) {
    relocation.generic = true;
    if (!expect_name("a variable in generic( )", name) || !expect(')', "after generic(")) return false;
  }
  relocation.symbol = name.text;
  if (m_token.is('+') || m_token.is('-')) {
    Constant addend;
    if (!constant(addend)) return false;
    relocation.addend = static_cast<int64_t>(addend.bits);
  }
  if (entry.relocations.size() == k_max_relocations)
    return fail(at, "This variable holds too many addresses.");
  entry.relocations.push_back(relocation);
  return expect(')', "after a masked address");
}

// symbol, symbol+4, generic(symbol)+4
bool Parser::initial_symbol(Variable& entry, uint64_t offset) {
  Token name = m_token;
  advance();
  Relocation relocation;
  relocation.offset = offset;
  relocation.bytes = static_cast<uint8_t>(bits_of(entry.type) / 8);
  if (name.text == "generic" && accept('(')) {
    relocation.generic = true;
    if (!expect_name("a variable in generic( )", name) || !expect(')', "after generic(")) return false;
  }
  relocation.symbol = name.text;
  if (m_token.is('+') || m_token.is('-')) {
    const Token at = m_token;
    Constant addend;
    if (!constant(addend)) return false;
    if (addend.type == Modifier::f32 || addend.type == Modifier::f64) {
      return fail(at, "An address plus a float is no address; write a whole number.");
    }
    relocation.addend = static_cast<int64_t>(addend.bits);
  }
  if (relocation.bytes < 4 || is_float(entry.type)) {
    return fail(name,
                fmt::format("The address of '{}' does not fit: give the variable the type .u64.", name.text));
  }
  if (entry.relocations.size() == k_max_relocations)
    return fail(name, "This variable holds too many addresses.");
  entry.relocations.push_back(relocation);
  return true;
}

bool Parser::store_initial(Variable& entry, uint64_t offset, const Constant& constant, const Token& at) {
  const uint64_t bytes = bits_of(entry.type) / 8;
  const bool is_float_constant = constant.type == Modifier::f32 || constant.type == Modifier::f64;
  uint64_t bits = constant.bits;
  if (is_float_constant && bytes < 4)
    return fail(at, "A float does not fit here; write the bits as a whole number.");
  if (is_float_constant && !is_float(entry.type) && entry.type != Modifier::b32 &&
      entry.type != Modifier::b64) {
    return fail(at, "This variable holds integers, and the value is a float; write a whole number.");
  }
  if (!is_float_constant && is_float(entry.type) && bytes >= 4) {
    const auto value = static_cast<double>(static_cast<int64_t>(bits));
    bits = bytes == 4 ? std::bit_cast<uint32_t>(static_cast<float>(value)) : std::bit_cast<uint64_t>(value);
  }
  if (constant.type == Modifier::f64 && bytes == 4) {
    bits = std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
  } else if (constant.type == Modifier::f32 && bytes == 8) {
    bits = std::bit_cast<uint64_t>(static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits))));
  }
  if (bits == 0) return true;  // zeros are not stored
  if (entry.initial.size() < offset + bytes) {
    if (offset > k_max_initial_bytes || m_initial_bytes + offset > k_max_initial_bytes) {
      return fail(at, "The initial values are too large; fill the array at run time.");
    }
    m_initial_bytes += offset + bytes - entry.initial.size();
    entry.initial.resize(offset + bytes);
  }
  for (uint64_t i = 0; i < bytes; ++i) entry.initial[offset + i] = static_cast<uint8_t>(bits >> (8 * i));
  return true;
}

}  // namespace warplens::ptx
