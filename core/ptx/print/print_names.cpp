#include "core/ptx/print/print_names.h"

#include <fmt/format.h>

#include <unordered_set>

namespace warplens::ptx {

namespace {

using Taken = std::unordered_set<std::string>;

std::string unique(std::string_view name, Taken& taken) {
  std::string result(name);
  for (uint32_t number = 1; !taken.insert(result).second; ++number)
    result = fmt::format("{}_s{}", name, number);
  return result;
}

std::string_view symbol_name(const Module& module, const Function& function, const PrintedNames& names,
                             const Operand& operand) {
  switch (operand.symbol_kind) {
    case SymbolKind::module_variable:
      return module.variables[operand.index].name;
    case SymbolKind::function_variable:
      return names.variables[operand.index];
    case SymbolKind::parameter:
      return function.parameters[operand.index].name;
    case SymbolKind::return_value:
      return function.returns[operand.index].name;
    case SymbolKind::function:
      return module.functions[operand.index].name;
  }
  return "";
}

// !p of a predicate, -a of a factor
std::string_view negation_text(const Function& function, const Operand& operand) {
  if (!operand.negated) return "";
  return function.registers[operand.index].type == Modifier::pred ? "!" : "-";
}

// .h10 of a video instruction's operand
std::string part_text(const Operand& operand) {
  const Part part = part_of(operand);
  if (part.count == 0) return "";
  std::string text = part.halves ? ".h" : ".b";
  for (uint32_t i = part.count; i-- > 0;) text += static_cast<char>('0' + part.index(i));
  return text;
}

std::string component_text(const Operand& operand) {
  constexpr std::string_view k_fields = "xyzw";
  return operand.component < 4 ? fmt::format(".{}", k_fields[operand.component]) : "";
}

std::string immediate_text(const Operand& operand) {
  switch (operand.immediate_type) {
    case Modifier::f32:
      return fmt::format("0f{:08X}", operand.bits);
    case Modifier::f64:
      return fmt::format("0d{:016X}", operand.bits);
    case Modifier::u64:
      return fmt::format("{}U", operand.bits);
    default:
      return fmt::format("{}", static_cast<int64_t>(operand.bits));
  }
}

std::string offset_text(const Operand& operand) {
  return operand.offset == 0 ? "" : fmt::format("+{}", operand.offset);
}

std::string children_text(const Module& module, const Function& function, const PrintedNames& names,
                          const Operand& operand, std::string_view separator) {
  std::string text;
  for (const Operand& child : function.children_of(operand)) {
    if (!text.empty()) text += separator;
    text += operand_text(module, function, names, child);
  }
  return text;
}

std::string address_text(const Module& module, const Function& function, const PrintedNames& names,
                         const Operand& operand) {
  if (operand.base == OperandKind::immediate) return fmt::format("[{}]", operand.offset);
  const std::string_view base = operand.base == OperandKind::reg
                                    ? names.registers[operand.index]
                                    : symbol_name(module, function, names, operand);
  if (operand.children == 0) return fmt::format("[{}{}]", base, offset_text(operand));
  // A texture and its coordinates.
  return fmt::format("[{}{}, {{{}}}]", base, offset_text(operand),
                     children_text(module, function, names, operand, ", "));
}

}  // namespace

PrintedNames::PrintedNames(const Module& module, const Function& function) {
  Taken taken, labels_taken;
  for (const Variable& variable : module.variables) taken.emplace(variable.name);
  for (const Function& each : module.functions) taken.emplace(each.name);
  size_t parameter_registers = 0;
  for (const auto* const list : {&function.returns, &function.parameters}) {
    for (const Variable& variable : *list) {
      taken.emplace(variable.name);
      if (variable.space == StateSpace::reg) ++parameter_registers;
    }
  }
  for (const Register& reg : function.registers) {
    const bool is_parameter = registers.size() < parameter_registers;
    registers.push_back(is_parameter ? std::string(reg.name) : unique(reg.name, taken));
  }
  for (const Variable& variable : function.variables) variables.push_back(unique(variable.name, taken));
  for (const Label& label : function.labels) labels.push_back(unique(label.name, labels_taken));
}

std::string operand_text(const Module& module, const Function& function, const PrintedNames& names,
                         const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::reg:
      return fmt::format("{}{}{}{}", negation_text(function, operand), names.registers[operand.index],
                         component_text(operand), part_text(operand));
    case OperandKind::special:
      return fmt::format("{}{}", text_of(static_cast<SpecialRegister>(operand.index)),
                         component_text(operand));
    case OperandKind::immediate:
      return immediate_text(operand);
    case OperandKind::symbol:
      return fmt::format("{}{}", symbol_name(module, function, names, operand), offset_text(operand));
    case OperandKind::address:
      return address_text(module, function, names, operand);
    case OperandKind::label:
      return names.labels[operand.index];
    case OperandKind::vector:
      return fmt::format("{{{}}}", children_text(module, function, names, operand, ", "));
    case OperandKind::pair:
      return children_text(module, function, names, operand, "|");
    case OperandKind::list:
      return fmt::format("({})", children_text(module, function, names, operand, ", "));
    case OperandKind::sink:
      return "_";
    case OperandKind::none:
      break;
  }
  return "";
}

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result.append("\\").append(1, c);
    } else if (static_cast<uint8_t>(c) < 0x20) {
      result += fmt::format("\\{:03o}", static_cast<uint32_t>(static_cast<uint8_t>(c)));
    } else {
      result += c;
    }
  }
  return result + '"';
}

}  // namespace warplens::ptx
