// .entry and .func: headers, attributes and bodies, PTX ISA 11.2 to 11.4.
#include <fmt/format.h>

#include <algorithm>

#include "core/ptx/parser/parser.h"

namespace warplens::ptx {

namespace {

bool same_signature(const std::vector<Variable>& a, const std::vector<Variable>& b) {
  return std::ranges::equal(a, b, [](const Variable& x, const Variable& y) {
    return x.space == y.space && x.bytes == y.bytes && x.vector == y.vector &&
           bits_of(x.type) == bits_of(y.type);
  });
}

}  // namespace

bool Parser::function(bool is_entry, Linkage linkage) {
  Function header;
  header.is_entry = is_entry;
  header.linkage = linkage;
  header.line = m_token.line;
  if (!is_entry) function_attribute(header);  // .func .noreturn may stand before the results
  if (m_token.is('(') && !parameter_list(header.returns, true)) return false;
  Token name;
  if (!expect_name("the name of the function", name)) return false;
  header.name = name.text;
  header.line = name.line;
  if (m_token.is('(') && !parameter_list(header.parameters, true)) return false;
  if (!function_attributes(header)) return false;
  header.has_body = m_token.is('{');
  uint32_t slot = 0;
  if (!enter_function(header, name, slot)) return false;
  if (!header.has_body) {
    if (!m_module.functions[slot].has_body) m_module.functions[slot] = std::move(header);
    return expect(';', "or '{' after the header of a function");
  }
  m_function = std::move(header);
  body();
  m_module.functions[slot] = std::move(m_function);
  m_function = Function();
  return true;
}

// Finds or makes the function's place in the module, so that it can call itself.
bool Parser::enter_function(Function& header, const Token& name, uint32_t& slot) {
  const Name* const known = m_module_names.find(name.text);
  if (known == nullptr) {
    slot = static_cast<uint32_t>(m_module.functions.size());
    m_module_names.add(name.text, {NameKind::symbol, SymbolKind::function, slot});
    m_module.functions.push_back(header);
    m_module.functions.back().has_body = false;
    return true;
  }
  if (known->symbol != SymbolKind::function) {
    return fail(name, fmt::format("'{}' is a variable already; give the function another name.", name.text));
  }
  slot = known->index;
  const Function& before = m_module.functions[slot];
  if (before.has_body && header.has_body) {
    return fail(name,
                fmt::format("The function '{}' is defined twice, first in line {}; remove or rename one.",
                            name.text, before.line));
  }
  if (before.is_entry != header.is_entry || !same_signature(before.parameters, header.parameters) ||
      !same_signature(before.returns, header.returns)) {
    return fail(name, fmt::format("'{}' is declared with other parameters in line {}; make them the same.",
                                  name.text, before.line));
  }
  if (header.linkage == Linkage::none) header.linkage = before.linkage;
  return true;
}

bool Parser::parameter_list(std::vector<Variable>& list, bool name_wanted) {
  if (!expect('(', "before parameters")) return false;
  if (accept(')')) return true;
  do {
    Variable variable;
    if (!parameter(variable, name_wanted)) return false;
    list.push_back(std::move(variable));
  } while (accept(','));
  return expect(')', "after parameters");
}

bool Parser::parameter(Variable& variable, bool name_wanted) {
  variable.line = m_token.line;
  if (accept_word(".reg")) {
    variable.space = StateSpace::reg;
  } else if (accept_word(".param")) {
    variable.space = StateSpace::param;
  } else {
    return fail_here(".param or .reg before a parameter");
  }
  if (!type_and_alignment(variable)) return false;
  const Token name = m_token;
  if (name.kind == TokenKind::identifier) {
    variable.name = name.text;
    advance();
  } else if (name_wanted) {
    return fail_here("the name of the parameter");
  }
  std::vector<uint64_t> sizes;
  return array_sizes(sizes, variable.unsized) && size_of_variable(variable, sizes, name);
}

bool Parser::function_attributes(Function& header) {
  while (m_token.kind == TokenKind::dot_word) {
    if (!function_attribute(header)) {
      return m_report.full()
                 ? false
                 : fail(m_token, fmt::format("'{}' is no directive of a function; remove it.", m_token.text));
    }
  }
  return true;
}

// Parses performance and launch directives (PTX ISA 11.4). Returns false if it is none of them, or wrong.
bool Parser::function_attribute(Function& header) {
  const auto number = [&](std::optional<uint32_t>& value, std::string_view what) {
    uint64_t result = 0;
    const Token at = m_token;
    if (!unsigned_constant(result, what)) return false;
    if (result > UINT32_MAX) return fail(at, fmt::format("{} must fit into 32 bits.", what));
    value = static_cast<uint32_t>(result);
    return true;
  };
  std::optional<uint32_t> ignored;
  bool of_variables = false;
  Dim3 size;
  if (accept_word(".maxntid")) return dimensions(size) && (header.max_threads = size, true);
  if (accept_word(".reqntid")) return dimensions(size) && (header.required_threads = size, true);
  if (accept_word(".minnctapersm")) return number(header.min_blocks_per_sm, ".minnctapersm");
  if (accept_word(".maxnreg")) return number(header.max_registers, ".maxnreg");
  if (accept_word(".maxnctapersm")) return number(ignored, ".maxnctapersm");
  if (accept_word(".abi_preserve")) return number(ignored, ".abi_preserve");
  if (accept_word(".abi_preserve_control")) return number(ignored, ".abi_preserve_control");
  if (accept_word(".noreturn")) return header.no_return = true;
  if (m_token.is_word(".attribute")) return attribute_list(of_variables);
  if (m_token.is_word(".pragma")) return string_list(".pragma") && (accept(';'), true);
  if (accept_word(".maxclusterrank")) return number(ignored, ".maxclusterrank");
  const Token at = m_token;
  if (accept_word(".reqnctapercluster")) {
    if (!dimensions(size)) return false;
    return size.count() == 1 || fail(at, "The virtual GPU runs blocks without clusters; ask for one block.");
  }
  if (m_token.is_word(".explicitcluster")) {
    return fail(m_token,
                ".explicitcluster is not supported by the virtual GPU: it runs blocks without clusters.");
  }
  return false;
}

bool Parser::dimensions(Dim3& size) {
  uint32_t* const parts[] = {&size.x, &size.y, &size.z};
  size = {1, 1, 1};
  for (size_t i = 0; i < 3; ++i) {
    const Token at = m_token;
    uint64_t value = 0;
    if (!unsigned_constant(value, "A number of threads")) return false;
    if (value == 0 || value > UINT32_MAX)
      return fail(at, "A number of threads must be from 1 to 4294967295.");
    *parts[i] = static_cast<uint32_t>(value);
    if (i < 2 && !accept(',')) break;
  }
  return true;
}

void Parser::declare_parameters() {
  const auto declare_each = [&](const std::vector<Variable>& list, SymbolKind kind) {
    for (uint32_t i = 0; i < list.size(); ++i) {
      const Variable& variable = list[i];
      Name name{NameKind::symbol, kind, i};
      if (variable.space == StateSpace::reg) {
        name = {NameKind::reg, kind, static_cast<uint32_t>(m_function.registers.size())};
        m_function.registers.push_back({variable.name, variable.type, variable.vector});
      }
      if (variable.name == "_" || m_scopes.back().add(variable.name, name)) continue;
      m_report.error({variable.line, 0},
                     fmt::format("Two parameters are called '{}'; rename one.", variable.name));
    }
  };
  declare_each(m_function.returns, SymbolKind::return_value);
  declare_each(m_function.parameters, SymbolKind::parameter);
}

void Parser::body() {
  const Token opening = m_token;
  m_location = 0;
  m_in_function = true;
  open_scope();
  declare_parameters();
  while (!m_scopes.empty() && !m_report.full()) {
    if (m_token.kind == TokenKind::end) {
      fail(opening, fmt::format("The function '{}' is never closed; add a '}}'.", m_function.name));
      break;
    }
    statement();
  }
  m_scopes.clear();
  m_in_function = false;
  m_location = 0;
}

void Parser::open_scope() {
  advance();
  m_scopes.emplace_back();
}

void Parser::close_scope() {
  advance();
  resolve_labels();
  m_scopes.pop_back();
}

// Labels belong to the scope that defines them: inline assembly repeats the same ones in { }.
void Parser::resolve_labels() {
  Scope& scope = m_scopes.back();
  const size_t depth = m_scopes.size();
  for (const LabelUse& use : scope.label_uses()) {
    if (const auto label_index = scope.find_label(use.name)) {
      bind_label(use, *label_index);
    } else if (depth > 1) {
      m_scopes[depth - 2].label_uses().push_back(use);
    } else {
      m_report.error(use.place, fmt::format("There is no label '{}' in '{}'; define it or correct its name.",
                                            use.name, m_function.name));
    }
  }
}

void Parser::bind_label(const LabelUse& use, uint32_t label_index) {
  const Label& target = m_function.labels[label_index];
  const LabelRole role = !target.branch_targets.empty()                     ? LabelRole::branch_table
                         : target.prototype || !target.call_targets.empty() ? LabelRole::call_table
                                                                            : LabelRole::code;
  if (role != use.role) {
    constexpr std::string_view k_wanted[] = {"a place in the code", "a .branchtargets table",
                                             "a .callprototype or .calltargets"};
    m_report.error(use.place,
                   fmt::format("'{}' must be {}, and is {}.", use.name,
                               k_wanted[static_cast<size_t>(use.role)], k_wanted[static_cast<size_t>(role)]));
    return;
  }
  if (use.in_table) {
    m_function.labels[use.index].branch_targets[use.slot] = label_index;
  } else {
    m_function.operands[use.index].index = label_index;
  }
}

void Parser::statement() {
  const Token at = m_token;
  if (accept(';')) return;
  if (at.is('{')) {
    if (m_scopes.size() < k_max_scope_depth) return open_scope();
    fail(at, fmt::format("Scopes are nested more than {} deep; flatten them.", k_max_scope_depth));
    return skip_braces();
  }
  if (at.is('}')) return close_scope();
  bool good = false;
  if (at.kind == TokenKind::dot_word) {
    good = body_directive();
  } else if (at.is('@')) {
    good = guarded_instruction();
  } else if (at.kind == TokenKind::identifier) {
    advance();
    good = m_token.is(':') ? label(at) : instruction(at, std::nullopt);
  } else {
    good = fail_here("an instruction");
  }
  if (good) return;
  skip_statement();
  // These braces are from a broken vector operand or initialiser; they are not a scope.
  if (m_token.is('{') && m_token.line == at.line) {
    skip_braces();
    skip_statement();
  }
}

bool Parser::body_directive() {
  if (m_token.text == ".loc") return location();
  if (m_token.text == ".file") return file();
  if (m_token.text == ".section") return section();
  if (m_token.text == ".pragma") return string_list(".pragma") && expect(';', "after .pragma");
  if (accept_word(".reg")) return registers();
  if (accept_word(".param")) return variables(StateSpace::param, Linkage::none);
  if (accept_word(".local")) return variables(StateSpace::local, Linkage::none);
  if (accept_word(".shared")) return variables(StateSpace::shared, Linkage::none);
  if (accept_word(".global")) return variables(StateSpace::global, Linkage::none);
  if (accept_word(".const")) return variables(StateSpace::constant, Linkage::none);
  return fail(m_token, fmt::format("'{}' is no directive of a function's body; remove it.", m_token.text));
}

// Parses the ':' after a name, and a table if one follows.
bool Parser::label(const Token& name) {
  advance();
  const auto index = static_cast<uint32_t>(m_function.labels.size());
  if (!m_scopes.back().add_label(name.text, index)) {
    return fail(name, fmt::format("The label '{}' is defined twice in this scope; rename one.", name.text));
  }
  Label entry;
  entry.name = name.text;
  entry.instruction = static_cast<uint32_t>(m_function.instructions.size());
  entry.line = name.line;
  m_function.labels.push_back(std::move(entry));
  if (accept_word(".branchtargets")) return branch_targets(index);
  if (accept_word(".calltargets")) return call_targets(index);
  if (accept_word(".callprototype")) return call_prototype(index);
  return true;
}

bool Parser::branch_targets(uint32_t table) {
  do {
    Token name;
    if (!expect_name("a label", name)) return false;
    const auto slot = static_cast<uint32_t>(m_function.labels[table].branch_targets.size());
    m_function.labels[table].branch_targets.push_back(0);
    m_scopes.back().label_uses().push_back({name.text, place_of(name), true, table, slot, LabelRole::code});
  } while (accept(','));
  return expect(';', "after .branchtargets");
}

bool Parser::call_targets(uint32_t table) {
  do {
    Token name;
    if (!expect_name("a function", name)) return false;
    const Name* const target = m_module_names.find(name.text);
    if (target == nullptr || target->symbol != SymbolKind::function) {
      return fail(name, fmt::format("'{}' is no function declared above; declare it with .func.", name.text));
    }
    m_function.labels[table].call_targets.push_back(target->index);
  } while (accept(','));
  return expect(';', "after .calltargets");
}

// name: .callprototype (.param .b32 _) _ (.param .b64 _);
bool Parser::call_prototype(uint32_t table) {
  Prototype prototype;
  if (m_token.is('(') && !parameter_list(prototype.returns, false)) return false;
  Token name;
  if (!expect_name("'_' in .callprototype", name)) return false;
  if (m_token.is('(') && !parameter_list(prototype.parameters, false)) return false;
  Function ignored;
  if (!function_attributes(ignored)) return false;
  m_function.labels[table].prototype = static_cast<uint32_t>(m_function.prototypes.size());
  m_function.prototypes.push_back(std::move(prototype));
  return expect(';', "after .callprototype");
}

}  // namespace warplens::ptx
