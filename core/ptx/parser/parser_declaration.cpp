// Registers and variables, PTX ISA 5.1 and 5.4.
#include <fmt/format.h>

#include "core/ptx/parser/parser.h"

namespace warplens::ptx {

namespace {

std::optional<Modifier> type_of_word(const Token& token) {
  if (token.kind != TokenKind::dot_word) return std::nullopt;
  const auto modifier = find_modifier(token.text.substr(1));
  if (!modifier || kind_of(*modifier) != ModifierKind::type) return std::nullopt;
  return modifier;
}

std::string_view directive_of(StateSpace space) {
  switch (space) {
    case StateSpace::constant:
      return ".const";
    case StateSpace::shared:
      return ".shared";
    case StateSpace::local:
      return ".local";
    case StateSpace::param:
      return ".param";
    default:
      return ".global";
  }
}

uint64_t limit_of(StateSpace space) {
  switch (space) {
    case StateSpace::constant:
      return uint64_t{64} << 10;
    case StateSpace::shared:
      return uint64_t{1} << 20;
    case StateSpace::local:
      return uint64_t{512} << 10;
    case StateSpace::param:
      return uint64_t{32764} * 2;
    default:
      return k_max_variable_bytes;
  }
}

// Types that only conversions and matrix instructions have. In registers they are untyped bits.
bool only_of_instructions(Modifier type) {
  switch (type) {
    case Modifier::u2:
    case Modifier::s2:
    case Modifier::u4:
    case Modifier::s4:
    case Modifier::e4m3x2:
    case Modifier::e5m2x2:
      return true;
    default:
      return false;
  }
}

}  // namespace

// .reg .v2 .f32 %a, %b<10>;
bool Parser::registers() {
  uint8_t vector = 1;
  if (accept_word(".v2")) vector = 2;
  if (vector == 1 && accept_word(".v4")) vector = 4;
  const auto type = type_of_word(m_token);
  if (!type) return fail_here("a type such as .b32 or .pred after .reg");
  if (bits_of(*type) == 0 || only_of_instructions(*type)) {
    return fail(m_token, fmt::format("{} registers are not supported by the virtual GPU.", m_token.text));
  }
  advance();
  do {
    if (!register_name(*type, vector)) return false;
  } while (accept(','));
  return expect(';', "after .reg");
}

bool Parser::register_name(Modifier type, uint8_t vector) {
  Token name;
  if (!expect_name("the name of a register", name)) return false;
  Scope& scope = m_scopes.back();
  const auto twice = [&] {
    return fail(name, fmt::format("The name '{}' is declared twice in this scope; rename one.", name.text));
  };
  if (!accept('<')) {
    const Name value{NameKind::reg, SymbolKind::parameter,
                     static_cast<uint32_t>(m_function.registers.size())};
    if (!scope.add(name.text, value)) return twice();
    m_function.registers.push_back({name.text, type, vector});
    return true;
  }
  const Token at = m_token;
  uint64_t count = 0;
  // Not a constant expression: '>' ends it.
  Constant value;
  if (at.kind != TokenKind::number) return fail_here("the number of registers");
  advance();
  if (!number(at, value)) return false;
  count = value.bits;
  if (value.type == Modifier::f32 || value.type == Modifier::f64 || count > k_max_registers_of_range) {
    return fail(at, fmt::format("{}<{}> is too many registers; the virtual GPU takes up to {} of a range.",
                                name.text, at.text, k_max_registers_of_range));
  }
  if (!scope.add_range({name.text, static_cast<uint32_t>(count), type, vector})) return twice();
  return expect('>', "after the number of registers");
}

// [.attribute(…)] [.align n] [.v4] .type [.ptr …], the attributes in any order.
bool Parser::type_and_alignment(Variable& variable) {
  bool has_type = false, aligned = false;
  while (m_token.kind == TokenKind::dot_word) {
    const Token at = m_token;
    if (accept_word(".align")) {
      const Token number_at = m_token;
      uint64_t value = 0;
      if (!unsigned_constant(value, ".align")) return false;
      if (value == 0 || value > (1u << 20) || (value & (value - 1)) != 0) {
        return fail(number_at, "An alignment must be a power of two up to 1048576.");
      }
      variable.alignment = static_cast<uint32_t>(value);
      aligned = true;
    } else if (at.text == ".attribute") {
      if (!attribute_list(variable.managed)) return false;
    } else if (accept_word(".v2")) {
      variable.vector = 2;
    } else if (accept_word(".v4")) {
      variable.vector = 4;
    } else if (at.text == ".ptr") {
      if (!pointer_attributes()) return false;
    } else if (at.text == ".samplerref") {
      return fail(at,
                  ".samplerref is not supported by the virtual GPU: bind the texture with its sampler as one "
                  "object.");
    } else if (at.text == ".texref" || at.text == ".surfref") {
      // The variable holds a handle of the texture that the launch binds to it.
      variable.type = Modifier::b64;
      has_type = true;
      advance();
    } else if (const auto type = type_of_word(at)) {
      variable.type = *type;
      has_type = true;
      advance();
    } else {
      return fail(at, fmt::format("'{}' does not belong into a declaration; remove it.", at.text));
    }
  }
  if (!has_type) return fail_here("a type such as .b32");
  if (!aligned) variable.alignment = std::max(1u, variable.vector * bits_of(variable.type) / 8);
  return true;
}

// .attribute(.managed, .unified(1, 2)): where the driver puts the variable; a kernel sees no difference.
bool Parser::attribute_list(bool& managed) {
  advance();
  if (!expect('(', "after .attribute")) return false;
  uint32_t depth = 1;
  while (depth != 0 && m_token.kind != TokenKind::end && !m_token.is(';')) {
    if (m_token.is('(')) ++depth;
    if (m_token.is(')')) --depth;
    if (m_token.is_word(".managed")) managed = true;
    advance();
  }
  return depth == 0 || fail_here("')' after .attribute");
}

// .ptr [.space] [.align n]: says what a pointer points to; nothing depends on it.
bool Parser::pointer_attributes() {
  advance();
  for (const std::string_view space : {".global", ".const", ".shared", ".local"}) accept_word(space);
  uint64_t ignored = 0;
  return !accept_word(".align") || unsigned_constant(ignored, ".align");
}

bool Parser::variables(StateSpace space, Linkage linkage) {
  Variable shape;
  shape.space = space;
  shape.linkage = linkage;
  if (!type_and_alignment(shape)) return false;
  do {
    if (!variable(shape)) return false;
  } while (accept(','));
  return expect(';', "after a variable");
}

bool Parser::variable(Variable entry) {
  Token name;
  if (!expect_name("the name of the variable", name)) return false;
  entry.name = name.text;
  entry.line = name.line;
  if (accept('<')) {  // .param .b32 p<4> and the like: no compiler writes it
    return fail(name, fmt::format("A range of variables such as '{}<…>' is not supported; write an array.",
                                  name.text));
  }
  std::vector<uint64_t> sizes;
  if (!array_sizes(sizes, entry.unsized)) return false;
  if (accept('=')) {
    if (!initial_value(entry, sizes, entry.unsized)) return false;
    entry.unsized = false;
  }
  return size_of_variable(entry, sizes, name) && check_space(entry, name) && declare(entry, name);
}

bool Parser::declare(const Variable& entry, const Token& name) {
  const auto twice = [&](uint32_t line) {
    return fail(
        name, fmt::format("The name '{}' is declared twice, first in line {}; rename one.", name.text, line));
  };
  if (m_in_function) {
    const auto index = static_cast<uint32_t>(m_function.variables.size());
    if (!m_scopes.back().add(name.text, {NameKind::symbol, SymbolKind::function_variable, index})) {
      return twice(m_function.line);
    }
    m_function.variables.push_back(entry);
    return true;
  }
  const auto index = static_cast<uint32_t>(m_module.variables.size());
  if (const Name* const known = m_module_names.find(name.text)) {
    const bool is_function = known->symbol == SymbolKind::function;
    if (is_function) return twice(m_module.functions[known->index].line);
    Variable& before = m_module.variables[known->index];  // .extern first, the definition later
    if (before.linkage != Linkage::external && entry.linkage != Linkage::external) return twice(before.line);
    if (before.linkage == Linkage::external) before = entry;
    return true;
  }
  m_module_names.add(name.text, {NameKind::symbol, SymbolKind::module_variable, index});
  m_module.variables.push_back(entry);
  return true;
}

// [4][3]; the first may be empty.
bool Parser::array_sizes(std::vector<uint64_t>& sizes, bool& unsized) {
  constexpr size_t k_max_dimensions = 16;
  while (accept('[')) {
    const Token at = m_token;
    if (sizes.size() == k_max_dimensions)
      return fail(at, "An array has at most 16 dimensions here; flatten it.");
    uint64_t size = 0;
    if (m_token.is(']') && sizes.empty()) {
      unsized = true;
    } else if (!unsigned_constant(size, "The size of an array")) {
      return false;
    }
    sizes.push_back(size);
    if (!expect(']', "after the size of an array")) return false;
  }
  return true;
}

bool Parser::size_of_variable(Variable& entry, const std::vector<uint64_t>& sizes, const Token& name) {
  const uint64_t element = uint64_t{entry.vector} * bits_of(entry.type) / 8;
  entry.bytes = element;
  const uint64_t limit = limit_of(entry.space);
  for (const uint64_t size : sizes) {
    if (size != 0 && entry.bytes > limit / size) {
      return fail(name, fmt::format("'{}' is too large: {} holds at most {} bytes; make the array smaller.",
                                    entry.name, directive_of(entry.space), limit));
    }
    entry.bytes *= size;
  }
  if (entry.space != StateSpace::reg && element == 0) {
    return fail(name,
                fmt::format("'{}' cannot be a variable: memory holds no predicates; use .b8.", entry.name));
  }
  return true;
}

bool Parser::check_space(const Variable& entry, const Token& name) {
  const bool may_start = entry.space == StateSpace::global || entry.space == StateSpace::constant;
  if (!entry.initial.empty() && !may_start) {
    return fail(name, fmt::format("'{}' cannot have an initial value: only .global and .const variables can.",
                                  entry.name));
  }
  if (!entry.unsized || entry.linkage == Linkage::external || entry.space == StateSpace::param) return true;
  if (entry.space == StateSpace::shared) return true;  // dynamic shared memory of old texts
  return fail(name, fmt::format("The array '{}' has no size; write one between the brackets.", entry.name));
}

}  // namespace warplens::ptx
