// Directives of the module, PTX ISA 11.1, 11.6 and 4.3.
#include <fmt/format.h>

#include <charconv>

#include "core/ptx/parser/parser.h"

namespace warplens::ptx {

void Parser::module_statement() {
  if (accept(';')) return;
  if (m_token.is('}')) {
    fail(m_token, "This '}' closes nothing; remove it, or look for a '}' too many above.");
    advance();
    return;
  }
  if (!module_directive()) {
    skip_statement();
    if (m_token.is('{')) skip_braces();
  }
}

bool Parser::module_directive() {
  const Token at = m_token;
  if (accept('@')) {  // @@DWARF …: old debug information, one line each
    while (m_token.kind != TokenKind::end && m_token.line == at.line) advance();
    return true;
  }
  if (at.kind != TokenKind::dot_word) return fail_here("a directive such as .entry, .func or .global");
  if (at.text == ".version") return version();
  if (at.text == ".target") return target();
  if (at.text == ".address_size") return address_size();
  if (at.text == ".file") return file();
  if (at.text == ".section") return section();
  if (at.text == ".alias") return alias();
  if (at.text == ".pragma") return string_list(".pragma") && expect(';', "after .pragma");
  if (at.text == ".loc") return location();
  return linked_declaration();
}

// [.visible | .extern | .weak | .common] and the declaration after it.
bool Parser::linked_declaration() {
  Linkage linkage = Linkage::none;
  if (accept_word(".visible")) {
    linkage = Linkage::visible;
  } else if (accept_word(".extern")) {
    linkage = Linkage::external;
  } else if (accept_word(".weak")) {
    linkage = Linkage::weak;
  } else if (accept_word(".common")) {
    linkage = Linkage::common;
  }
  if (accept_word(".entry")) return function(true, linkage);
  if (accept_word(".func")) return function(false, linkage);
  if (accept_word(".global")) return variables(StateSpace::global, linkage);
  if (accept_word(".const")) return variables(StateSpace::constant, linkage);
  if (accept_word(".shared")) return variables(StateSpace::shared, linkage);
  if (m_token.kind == TokenKind::dot_word && (m_token.text == ".tex" || m_token.text == ".surf")) {
    return fail(m_token,
                fmt::format("{} is not supported by the virtual GPU: textures and surfaces are bound "
                            "by the launch, not by the module.",
                            m_token.text));
  }
  return fail_here("a directive such as .entry, .func, .global, .const or .shared");
}

// .version 8.8
bool Parser::version() {
  advance();
  const Token at = m_token;
  if (at.kind != TokenKind::number) return fail_here("a version such as 8.8 after .version");
  advance();
  const char* const end = at.text.data() + at.text.size();
  const auto major = std::from_chars(at.text.data(), end, m_module.version_major);
  const bool dot = major.ec == std::errc() && major.ptr != end && *major.ptr == '.';
  const auto minor = std::from_chars(dot ? major.ptr + 1 : end, end, m_module.version_minor);
  if (dot && minor.ec == std::errc() && minor.ptr == end) return true;
  return fail(at,
              fmt::format("'{}' is no PTX version; write two numbers such as 8.8.", at.text.substr(0, 40)));
}

// .target sm_50, debug
bool Parser::target() {
  advance();
  do {
    Token name;
    if (!expect_name("a target such as sm_50 after .target", name)) return false;
    if (!name.text.starts_with("sm_")) {
      constexpr std::string_view k_options[] = {"debug", "texmode_unified", "texmode_independent",
                                                "map_f64_to_f32"};
      bool known = false;
      for (const auto option : k_options) known |= option == name.text;
      if (!known) return fail(name, fmt::format("'{}' is no target; write one such as sm_50.", name.text));
      continue;
    }
    const std::string_view digits = name.text.substr(3);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), m_module.target_number);
    if (error != std::errc()) return fail(name, fmt::format("'{}' has no number; write sm_50.", name.text));
    m_module.target = name.text;
  } while (accept(','));
  return true;
}

bool Parser::address_size() {
  advance();
  const Token at = m_token;
  uint64_t bits = 0;
  if (!unsigned_constant(bits, ".address_size")) return false;
  if (bits != 32 && bits != 64) return fail(at, "An address has 32 or 64 bits: write .address_size 64.");
  m_module.address_bits = static_cast<uint32_t>(bits);
  return true;
}

// .alias f, g; every use of f means g.
bool Parser::alias() {
  advance();
  Token name, meant;
  if (!expect_name("the new name after .alias", name)) return false;
  if (!expect(',', "between the names of .alias")) return false;
  if (!expect_name("the function that is meant", meant)) return false;
  const Name* const first = m_module_names.find(name.text);
  const Name* const second = m_module_names.find(meant.text);
  for (const auto& [found_name, token] : {std::pair(first, name), std::pair(second, meant)}) {
    if (found_name == nullptr || found_name->symbol != SymbolKind::function) {
      return fail(token,
                  fmt::format("'{}' is no function of this text; declare it before .alias.", token.text));
    }
  }
  m_aliases[name.text] = meant.text;
  return expect(';', "after .alias");
}

// .pragma "nounroll", "…": advice to ptxas; it changes no result.
bool Parser::string_list(std::string_view directive) {
  advance();
  do {
    if (m_token.kind != TokenKind::string) return fail_here(fmt::format("a string after {}", directive));
    advance();
  } while (accept(','));
  return true;
}

void Parser::check_relocations(const std::vector<Variable>& list) {
  for (const Variable& variable : list) {
    for (const Relocation& relocation : variable.relocations) {
      if (m_module_names.find(relocation.symbol) != nullptr) continue;
      m_report.error({variable.line, 0},
                     fmt::format("The initial value of '{}' names '{}', which this text does not declare.",
                                 variable.name, relocation.symbol));
    }
  }
}

void Parser::finish_module() {
  if (m_module.version_major == 0 && m_report.empty()) {
    m_report.error({1, 1}, "This is no PTX: it must start with .version, .target and .address_size.");
  }
  if (m_module.target.empty() && m_report.empty()) {
    m_report.error({1, 1}, "There is no .target directive; write .target sm_50 below .version.");
  }
  check_relocations(m_module.variables);
  for (const Function& each : m_module.functions) check_relocations(each.variables);
  name_inlined_functions();
  if (m_aliases.empty()) return;
  const auto meant = [&](std::string_view name) {
    const auto found = m_aliases.find(name);
    return found == m_aliases.end() ? name : found->second;
  };
  for (Variable& variable : m_module.variables) {
    for (Relocation& relocation : variable.relocations) relocation.symbol = meant(relocation.symbol);
  }
  for (Function& each : m_module.functions) {
    for (Operand& operand : each.operands) {
      if (operand.kind != OperandKind::symbol || operand.symbol_kind != SymbolKind::function) continue;
      operand.index = m_module_names.find(meant(m_module.functions[operand.index].name))->index;
    }
  }
}

}  // namespace warplens::ptx
