// The canonical text of a module: declarations first, kernels last, every function in one scope, one
// instruction a line.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "core/ptx/print/print.h"
#include "core/ptx/print/print_names.h"

namespace warplens::ptx {

namespace {

std::string_view word(StateSpace space) {
  constexpr std::string_view k_words[] = {".reg",    ".sreg",  ".global", ".const",
                                          ".shared", ".local", ".param"};
  return k_words[static_cast<size_t>(space)];
}

std::string_view word(Linkage linkage) {
  constexpr std::string_view k_words[] = {"", ".visible ", ".extern ", ".weak ", ".common "};
  return k_words[static_cast<size_t>(linkage)];
}

class Printer {
 public:
  explicit Printer(const Module& module) : m_module(module) {}

  std::string module_text();
  std::string instruction_text(const Function& function, const PrintedNames& names,
                               const Instruction& instruction);

 private:
  void print_variable(const Variable& variable, std::string_view name);
  void print_initial(const Variable& variable);
  void print_element(const Variable& variable, uint64_t element, size_t& relocation);
  void print_header(const Function& function);
  void print_parameters(const std::vector<Variable>& list);
  void print_attributes(const Function& function);
  void print_body(const Function& function);
  void print_registers(const Function& function, const PrintedNames& names);
  void print_label(const Function& function, const PrintedNames& names, size_t index);
  void print_location(uint32_t index);
  void print_strings();
  bool needs_declarations() const;

  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(m_text), format, std::forward<Arguments>(arguments)...);
  }

  const Module& m_module;
  std::string m_text;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> m_printed_places;  // → location printed last
  std::vector<std::string_view> m_strings;  // names of inlined functions
  uint32_t m_location = 0;
};

void Printer::print_variable(const Variable& variable, std::string_view name) {
  const uint64_t element = uint64_t{variable.vector} * bits_of(variable.type) / 8;
  add("{}{} .align {}", word(variable.space), variable.managed ? " .attribute(.managed)" : "",
      variable.alignment);
  if (variable.vector > 1) add(" .v{}", variable.vector);
  add(" .{} {}", text_of(variable.type), name);
  if (variable.unsized) {
    add("[]");
  } else if (variable.bytes != element) {
    add("[{}]", element == 0 ? 0 : variable.bytes / element);
  }
}

void Printer::print_initial(const Variable& variable) {
  if (variable.initial.empty() && variable.relocations.empty()) return;
  const uint64_t bytes = bits_of(variable.type) / 8;
  uint64_t last = variable.initial.size();
  for (const Relocation& relocation : variable.relocations)
    last = std::max(last, relocation.offset + relocation.bytes);
  size_t relocation = 0;
  add(" = ");
  const bool is_array = variable.bytes != bytes;
  if (is_array) add("{{");
  for (uint64_t element = 0; element < last / bytes; ++element) {
    if (element != 0) add(", ");
    print_element(variable, element, relocation);
  }
  if (is_array) add("}}");
}

void Printer::print_element(const Variable& variable, uint64_t element, size_t& relocation) {
  const uint64_t bytes = bits_of(variable.type) / 8, offset = element * bytes;
  const auto& relocations = variable.relocations;
  if (relocation < relocations.size() && relocations[relocation].offset == offset) {
    const Relocation& at = relocations[relocation++];
    if (at.mask != 0) add("0x{:X}(", at.mask);
    if (at.generic) {
      add("generic({})", at.symbol);
    } else {
      add("{}", at.symbol);
    }
    if (at.addend != 0) add("+{}", at.addend);
    if (at.mask != 0) add(")");
    return;
  }
  uint64_t bits = 0;
  for (uint64_t i = 0; i < bytes && offset + i < variable.initial.size(); ++i) {
    bits |= uint64_t{variable.initial[offset + i]} << (8 * i);
  }
  if (is_float(variable.type) && bytes == 4) {
    add("0f{:08X}", bits);
  } else if (is_float(variable.type) && bytes == 8) {
    add("0d{:016X}", bits);
  } else {
    add("{}", bits);
  }
}

void Printer::print_parameters(const std::vector<Variable>& list) {
  add("(");
  for (size_t i = 0; i < list.size(); ++i) {
    if (i != 0) add(", ");
    if (list[i].space == StateSpace::reg) {
      add(".reg .{} {}", text_of(list[i].type), list[i].name);
    } else {
      print_variable(list[i], list[i].name.empty() ? "_" : list[i].name);
    }
  }
  add(")");
}

void Printer::print_header(const Function& function) {
  add("\n{}{} ", word(function.linkage), function.is_entry ? ".entry" : ".func");
  if (!function.returns.empty()) {
    print_parameters(function.returns);
    add(" ");
  }
  add("{}", function.name);
  print_parameters(function.parameters);
  print_attributes(function);
}

void Printer::print_attributes(const Function& function) {
  if (function.no_return) add(" .noreturn");
  if (const auto& size = function.max_threads) add("\n.maxntid {}, {}, {}", size->x, size->y, size->z);
  if (const auto& size = function.required_threads) add("\n.reqntid {}, {}, {}", size->x, size->y, size->z);
  if (function.min_blocks_per_sm) add("\n.minnctapersm {}", *function.min_blocks_per_sm);
  if (function.max_registers) add("\n.maxnreg {}", *function.max_registers);
}

void Printer::print_registers(const Function& function, const PrintedNames& names) {
  const auto is_register = [](const Variable& variable) { return variable.space == StateSpace::reg; };
  const auto first = std::ranges::count_if(function.returns, is_register) +
                     std::ranges::count_if(function.parameters, is_register);
  const Register* before = nullptr;
  for (auto i = static_cast<size_t>(first); i < function.registers.size(); ++i) {
    const Register& reg = function.registers[i];
    if (before != nullptr && before->type == reg.type && before->vector == reg.vector) {
      add(", {}", names.registers[i]);
    } else {
      if (before != nullptr) add(";\n");
      add("  .reg ");
      if (reg.vector > 1) add(".v{} ", reg.vector);
      add(".{} {}", text_of(reg.type), names.registers[i]);
    }
    before = &reg;
  }
  if (before != nullptr) add(";\n");
}

void Printer::print_label(const Function& function, const PrintedNames& names, size_t index) {
  const Label& label = function.labels[index];
  add("{}:", names.labels[index]);
  std::string_view separator = " .branchtargets ";
  for (const uint32_t target : label.branch_targets) {
    add("{}{}", separator, names.labels[target]);
    separator = ", ";
  }
  separator = " .calltargets ";
  for (const uint32_t target : label.call_targets) {
    add("{}{}", separator, m_module.functions[target].name);
    separator = ", ";
  }
  if (label.prototype) {
    const Prototype& prototype = function.prototypes[*label.prototype];
    add(" .callprototype ");
    if (!prototype.returns.empty()) print_parameters(prototype.returns);
    add(" _ ");
    print_parameters(prototype.parameters);
  }
  const bool is_table = !label.branch_targets.empty() || !label.call_targets.empty() || label.prototype;
  if (is_table) add(";");
  add("\n");
}

// A .loc whose caller was not the latest at its place is preceded by the caller's.
void Printer::print_location(uint32_t index) {
  std::vector<uint32_t> chain;
  for (uint32_t at = index; at != 0; at = m_module.locations[at].inlined_at) {
    const Location& place = m_module.locations[at];
    const auto printed = m_printed_places.find({place.file, place.line, place.column});
    if (at != index && printed != m_printed_places.end() && printed->second == at) break;
    chain.push_back(at);
  }
  for (; !chain.empty(); chain.pop_back()) {
    const Location& place = m_module.locations[chain.back()];
    m_printed_places[{place.file, place.line, place.column}] = chain.back();
    add("  .loc {} {} {}", place.file, place.line, place.column);
    if (!place.function.empty()) {
      auto found = std::ranges::find(m_strings, place.function);
      if (found == m_strings.end()) found = m_strings.insert(found, place.function);
      add(", function_name $L__info_string{}", found - m_strings.begin());
    }
    if (place.inlined_at != 0) {
      const Location& caller = m_module.locations[place.inlined_at];
      add(", inlined_at {} {} {}", caller.file, caller.line, caller.column);
    }
    add("\n");
  }
}

void Printer::print_body(const Function& function) {
  const PrintedNames names(m_module, function);
  add("\n{{\n");
  print_registers(function, names);
  for (size_t i = 0; i < function.variables.size(); ++i) {
    add("  ");
    print_variable(function.variables[i], names.variables[i]);
    print_initial(function.variables[i]);
    add(";\n");
  }
  size_t label = 0;
  m_location = 0;
  for (uint32_t i = 0; i <= function.instructions.size(); ++i) {
    for (; label < function.labels.size() && function.labels[label].instruction == i; ++label) {
      print_label(function, names, label);
    }
    if (i == function.instructions.size()) break;
    const Instruction& instruction = function.instructions[i];
    if (instruction.location != m_location) print_location(instruction.location);
    m_location = instruction.location;
    add("  {}\n", instruction_text(function, names, instruction));
  }
  add("}}\n");
}

std::string Printer::instruction_text(const Function& function, const PrintedNames& names,
                                      const Instruction& instruction) {
  std::string text;
  if (instruction.guarded) {
    text += fmt::format("@{}{} ", instruction.guard_negated ? "!" : "", names.registers[instruction.guard]);
  }
  text += text_of(instruction.opcode);
  for (const Modifier modifier : function.modifiers_of(instruction))
    text.append(".").append(text_of(modifier));
  std::string_view separator = " ";
  for (const Operand& operand : function.operands_of(instruction)) {
    if (operand.kind == OperandKind::list && operand.children == 0) continue;  // of a call
    text.append(separator).append(operand_text(m_module, function, names, operand));
    separator = ", ";
  }
  return text + ";";
}

// Whether a variable refers to a function, or a function uses a later one.
bool Printer::needs_declarations() const {
  for (const Variable& variable : m_module.variables) {
    for (const Relocation& relocation : variable.relocations) {
      if (std::ranges::find(m_module.functions, relocation.symbol, &Function::name) !=
          m_module.functions.end()) {
        return true;
      }
    }
  }
  for (uint32_t i = 0; i < m_module.functions.size(); ++i) {
    const Function& function = m_module.functions[i];
    if (function.is_entry) continue;  // kernels come after all functions
    const auto is_later = [&](const Operand& operand) {
      return operand.kind == OperandKind::symbol && operand.symbol_kind == SymbolKind::function &&
             operand.index > i;
    };
    if (std::ranges::any_of(function.operands, is_later)) return true;
    for (const Label& label : function.labels) {
      if (std::ranges::any_of(label.call_targets, [&](uint32_t target) { return target > i; })) return true;
    }
  }
  return false;
}

void Printer::print_strings() {
  if (m_strings.empty()) return;
  add("\n.section .debug_str\n{{\n");
  for (size_t i = 0; i < m_strings.size(); ++i) {
    add("$L__info_string{}:\n.b8 ", i);
    for (const char c : m_strings[i]) add("{},", static_cast<uint32_t>(static_cast<uint8_t>(c)));
    add("0\n");
  }
  add("}}\n");
}

std::string Printer::module_text() {
  add(".version {}.{}\n.target {}\n", m_module.version_major, m_module.version_minor, m_module.target);
  add(".address_size {}\n\n", m_module.address_bits);
  for (const SourceFile& file : m_module.files) add(".file {} {}\n", file.number, in_quotes(file.name));
  const bool declare = needs_declarations();
  for (const Function& function : m_module.functions) {
    if (!declare || function.is_entry) continue;
    print_header(function);
    add(";\n");
  }
  for (const Variable& variable : m_module.variables) {
    add("{}", word(variable.linkage));
    print_variable(variable, variable.name);
    print_initial(variable);
    add(";\n");
  }

  for (const bool entries : {false, true}) {
    for (const Function& function : m_module.functions) {
      if (function.is_entry != entries || (!function.has_body && declare)) continue;
      print_header(function);
      if (function.has_body) {
        print_body(function);
      } else {
        add(";\n");
      }
    }
  }
  print_strings();
  return std::move(m_text);
}

}  // namespace

std::string print(const Module& module) { return Printer(module).module_text(); }

std::string print_instruction(const Module& module, const Function& function,
                              const Instruction& instruction) {
  return Printer(module).instruction_text(function, PrintedNames(module, function), instruction);
}

}  // namespace warplens::ptx
