// Operands, PTX ISA 6.
#include <fmt/format.h>

#include "core/ptx/parser/parser.h"

namespace warplens::ptx {

namespace {

constexpr size_t k_max_children = 256;

}  // namespace

// One operand of an instruction. `wants_label`: a name here is a label.
bool Parser::operand(Operand& result, bool wants_label) {
  if (m_token.is('[')) return address_operand(result);
  if (m_token.is('{')) return vector_operand(result);
  if (wants_label) return label_operand(result);
  if (!simple_operand(result)) return false;
  return !m_token.is('|') || pair_operand(result);
}

// A register, a special register, a number, a symbol, or _; perhaps negated.
bool Parser::simple_operand(Operand& result) {
  if (accept('!')) {
    if (m_token.kind != TokenKind::identifier) return fail_here("a predicate register after '!'");
    const Token name = m_token;
    if (!named_operand(result)) return false;
    result.negated = true;
    return result.kind == OperandKind::reg ||
           fail(name, "Only a predicate register can be negated with '!'.");
  }
  if (m_has_parts && accept('-')) {
    result.negated = true;
    return m_token.kind == TokenKind::identifier ? named_operand(result) : fail_here("a register after '-'");
  }
  if (at_constant()) {
    Constant value;
    if (!constant(value)) return false;
    result.kind = OperandKind::immediate;
    result.bits = value.bits;
    result.immediate_type = value.type;
    return true;
  }
  if (m_token.kind == TokenKind::identifier) return named_operand(result);
  return fail_here("an operand");
}

std::optional<Name> Parser::find_name(std::string_view name) {
  for (size_t i = m_scopes.size(); i-- > 0;) {
    Scope& scope = m_scopes[i];
    if (const Name* const found_name = scope.find(name)) return *found_name;
    if (const auto in_range = find_range_register(scope, name)) return in_range;
  }
  if (const Name* const found_name = m_module_names.find(name)) return *found_name;
  return std::nullopt;
}

// A register of a range is created at its first use.
std::optional<Name> Parser::find_range_register(Scope& scope, std::string_view name) {
  const RegisterRange* const range = scope.find_range(name);
  if (range == nullptr) return std::nullopt;
  const Name entry{NameKind::reg, SymbolKind::parameter, static_cast<uint32_t>(m_function.registers.size())};
  m_function.registers.push_back({name, range->type, range->vector});
  scope.add_from_range(name, entry);
  return entry;
}

bool Parser::named_operand(Operand& result) {
  const Token name = m_token;
  advance();
  if (name.text == "_") {
    result.kind = OperandKind::sink;
    return true;
  }
  if (const auto known = find_name(name.text)) {
    result.kind = known->kind == NameKind::reg ? OperandKind::reg : OperandKind::symbol;
    result.symbol_kind = known->symbol;
    result.index = known->index;
    return result.kind == OperandKind::reg ? component(result, name) : symbol_offset(result);
  }
  if (const auto special = find_special(name.text)) {
    result.kind = OperandKind::special;
    result.index = static_cast<uint32_t>(*special);
    return component(result, name);
  }
  if (name.text[0] == '%') {
    return fail(name,
                fmt::format("'{}' is neither a declared register nor a special register that the virtual GPU "
                            "knows; declare it with .reg.",
                            name.text));
  }
  return fail(name, fmt::format("'{}' is not declared; declare it above, or correct its name.", name.text));
}

// The .x of %tid.x or of a vector register.
bool Parser::component(Operand& result, const Token& name) {
  bool has_fields = false;
  if (result.kind == OperandKind::special) {
    has_fields = shape_of(static_cast<SpecialRegister>(result.index)).has_fields;
  } else {
    has_fields = m_function.registers[result.index].vector > 1;
  }
  if (m_token.kind != TokenKind::dot_word) return true;
  if (m_has_parts && !has_fields && result.kind == OperandKind::reg) return part(result, name);
  constexpr std::string_view k_fields = "xyzwrgba";
  const std::string_view field = m_token.text.substr(1);
  const size_t index = field.size() == 1 ? k_fields.find(field[0]) : std::string_view::npos;
  if (!has_fields || index == std::string_view::npos) {
    return fail(m_token, fmt::format("'{}' has no part '{}'; write {}.", name.text, m_token.text,
                                     has_fields ? ".x, .y, .z or .w" : "the name alone"));
  }
  const auto part = static_cast<uint8_t>(index % 4);
  if (result.kind == OperandKind::reg && part >= m_function.registers[result.index].vector) {
    return fail(m_token,
                fmt::format("'{}' has only {} parts.", name.text, m_function.registers[result.index].vector));
  }
  result.component = part;
  advance();
  return true;
}

// The .b0 or .h10 of a video instruction's operand.
bool Parser::part(Operand& result, const Token& name) {
  const std::string_view text = m_token.text.substr(1);
  const bool halves = text.starts_with('h');
  const uint32_t elements = halves ? 4 : 8;  // of two registers
  Part chosen{halves, static_cast<uint32_t>(text.size() - 1), 0};
  bool good = (halves || text.starts_with('b')) && text.size() > 1 && text.size() < 6;
  for (size_t i = 1; i < text.size() && good; ++i) {
    const auto digit = static_cast<uint32_t>(text[i] - '0');
    good = digit < elements;
    chosen.indices = chosen.indices << 4 | digit;
  }
  if (!good) {
    return fail(
        m_token,
        fmt::format("'{}' has no part '{}'; write bytes as in .b0 or .b3210, or half-words as in .h0 or "
                    ".h10.",
                    name.text, m_token.text));
  }
  result.part = encoded(chosen);
  advance();
  return true;
}

// symbol+4 as a value
bool Parser::symbol_offset(Operand& result) {
  if (!m_token.is('+') && !m_token.is('-')) return true;
  return address_offset(result);
}

bool Parser::address_offset(Operand& result) {
  const Token at = m_token;
  Constant value;
  if (!constant(value)) return false;
  if (value.type == Modifier::f32 || value.type == Modifier::f64) {
    return fail(at, "The offset of an address must be a whole number.");
  }
  result.offset = static_cast<int64_t>(value.bits);
  return true;
}

// [%rd1+4], [symbol], [16]
bool Parser::address_operand(Operand& result) {
  advance();
  result.kind = OperandKind::address;
  const Token at = m_token;
  if (at_constant()) {
    result.base = OperandKind::immediate;
    if (!address_offset(result)) return false;
  } else if (at.kind == TokenKind::identifier) {
    Operand base;
    if (!named_operand(base)) return false;
    if (base.kind != OperandKind::reg && base.kind != OperandKind::symbol) {
      return fail(at, fmt::format("'{}' holds no address; use a register or a variable.", at.text));
    }
    if (base.component != 255 ||
        (base.kind == OperandKind::reg && m_function.registers[base.index].vector > 1)) {
      return fail(at, "An address cannot be part of a vector; move it into a register first.");
    }
    result.base = base.kind;
    result.index = base.index;
    result.symbol_kind = base.symbol_kind;
    result.offset = base.offset;
    if ((m_token.is('+') || m_token.is('-')) && !address_offset(result)) return false;
  } else {
    return fail_here("a register, a variable or a number in '[ ]'");
  }
  if (m_token.is(',') && !coordinates(result)) return false;
  return expect(']', "after an address");
}

// The coordinates after a texture, as in ", {%f1, %f2}". They may also be a register or a vector register.
bool Parser::coordinates(Operand& result) {
  advance();
  Operand given;
  const Token at = m_token;
  if (at.is('{')) {
    if (!vector_operand(given)) return false;
    result.first_child = given.first_child;
    result.children = given.children;
  } else {
    if (!simple_operand(given)) return false;
    if (given.kind != OperandKind::reg) return fail(at, "Coordinates are registers or numbers in '{ }'.");
    std::vector<Operand> parts;
    const uint8_t count = given.component == 255 ? m_function.registers[given.index].vector : 1;
    for (uint8_t i = 0; i < count; ++i) {
      parts.push_back(given);
      if (count > 1) parts.back().component = i;
    }
    add_children(result, parts);
  }
  if (m_token.is(',')) {
    return fail(
        m_token,
        "Samplers of their own are not supported by the virtual GPU: bind the texture with its sampler "
        "as one object.");
  }
  return true;
}

// An element of a vector or list: nothing nested.
bool Parser::element_operand(Operand& result) {
  if (m_token.is('[') || m_token.is('{')) return fail_here("a register or a number");
  return simple_operand(result);
}

void Parser::add_children(Operand& result, const std::vector<Operand>& children) {
  result.first_child = static_cast<uint32_t>(m_function.operands.size());
  result.children = static_cast<uint32_t>(children.size());
  m_function.operands.insert(m_function.operands.end(), children.begin(), children.end());
}

// {%r1, _, %r3}
bool Parser::vector_operand(Operand& result) {
  advance();
  result.kind = OperandKind::vector;
  m_children.clear();
  do {
    if (m_children.size() == 8) return fail_here("'}': a vector has at most 8 elements");
    if (!element_operand(m_children.emplace_back())) return false;
  } while (accept(','));
  add_children(result, m_children);
  return expect('}', "after a vector");
}

// p|q
bool Parser::pair_operand(Operand& result) {
  advance();
  m_children.assign({result, Operand()});
  if (!element_operand(m_children[1])) return false;
  result = Operand();
  result.kind = OperandKind::pair;
  add_children(result, m_children);
  return true;
}

bool Parser::label_operand(Operand& result) {
  Token name;
  if (!expect_name("a label", name)) return false;
  result.kind = OperandKind::label;
  m_label_name = name.text;
  return true;
}

// (%r1, param0, 3): results or arguments of a call
bool Parser::call_list(Operand& list) {
  list = Operand();
  list.kind = OperandKind::list;
  m_children.clear();
  advance();
  if (!accept(')')) {
    do {
      if (m_children.size() == k_max_children) return fail_here("')': a call passes at most 256 values");
      if (!element_operand(m_children.emplace_back())) return false;
    } while (accept(','));
    if (!expect(')', "after the values of a call")) return false;
  }
  add_children(list, m_children);
  return true;
}

// call [(results),] callee [, (arguments)] [, prototype or table]
bool Parser::call_operands() {
  Operand none;
  none.kind = OperandKind::list;
  Operand results = none, callee, arguments = none, table;
  const TextPosition start = place_of(m_token);
  if (m_token.is('(') && !(call_list(results) && expect(',', "after the results of a call"))) return false;
  const TextPosition callee_place = place_of(m_token);
  if (!simple_operand(callee)) return false;
  TextPosition arguments_place = place_of(m_token), table_place = arguments_place;
  bool has_table = false;
  while (accept(',')) {
    if (m_token.is('(') && !has_table) {
      arguments_place = place_of(m_token);
      if (!call_list(arguments)) return false;
    } else {
      table_place = place_of(m_token);
      has_table = true;
      if (!label_operand(table)) return false;
    }
  }
  if (!add_operand(results, start) || !add_operand(callee, callee_place)) return false;
  if (!add_operand(arguments, arguments_place)) return false;
  return !has_table || add_operand(table, table_place);
}

bool Parser::add_operand(const Operand& each, TextPosition place) {
  if (m_operand_count == k_max_operands) {
    return m_report.error(place, "This instruction has too many operands; no PTX instruction takes so many.");
  }
  m_operands[m_operand_count] = each;
  m_operand_places[m_operand_count] = place;
  m_label_names[m_operand_count] = each.kind == OperandKind::label ? m_label_name : std::string_view();
  ++m_operand_count;
  return true;
}

}  // namespace warplens::ptx
