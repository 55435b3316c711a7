// Addresses, and the values that a call passes.
#include <fmt/format.h>

#include <algorithm>

#include "core/ptx/check/operand_check.h"

namespace warplens::ptx {

namespace {

// The state space that the instruction names. Empty for generic. `skip` is the number of names that belong
// to other addresses.
std::optional<StateSpace> named_space(std::span<const Modifier> modifiers, uint32_t skip) {
  for (const Modifier modifier : modifiers) {
    if (kind_of(modifier) == ModifierKind::space && skip != 0) {
      --skip;
      continue;
    }
    switch (modifier) {
      case Modifier::global:
        return StateSpace::global;
      case Modifier::shared:
      case Modifier::shared_cta:
      case Modifier::shared_cluster:
        return StateSpace::shared;
      case Modifier::local:
        return StateSpace::local;
      case Modifier::param:
      case Modifier::param_entry:
      case Modifier::param_func:
        return StateSpace::param;
      case Modifier::constant:
        return StateSpace::constant;
      default:
        break;
    }
  }
  return std::nullopt;
}

const Variable* variable_of(const InstructionCheck& check, const Operand& operand) {
  switch (operand.symbol_kind) {
    case SymbolKind::module_variable:
      return &check.module.variables[operand.index];
    case SymbolKind::function_variable:
      return &check.function.variables[operand.index];
    case SymbolKind::parameter:
      return &check.function.parameters[operand.index];
    case SymbolKind::return_value:
      return &check.function.returns[operand.index];
    case SymbolKind::function:
      break;
  }
  return nullptr;
}

std::string_view name_of(StateSpace space) {
  switch (space) {
    case StateSpace::constant:
      return "const";
    case StateSpace::shared:
      return "shared";
    case StateSpace::local:
      return "local";
    case StateSpace::param:
      return "param";
    default:
      return "global";
  }
}

}  // namespace

bool OperandChecker::address(const Operand& operand) {
  if (!kind(operand, OperandKind::address, "an address in '[ ]'")) return false;
  if (operand.base == OperandKind::reg) {
    const Register& reg = m_check.function.registers[operand.index];
    const bool good = !is_float(reg.type) && (bits_of(reg.type) == 32 || bits_of(reg.type) == 64);
    return good || fail(fmt::format("uses '{}' of type .{} as an address", reg.name, text_of(reg.type)),
                        "an address is an integer of 32 or 64 bits");
  }
  if (operand.base != OperandKind::symbol) return true;
  const Variable* const variable = variable_of(m_check, operand);
  if (variable == nullptr) return fail("is the address of a function", "functions cannot be read or written");
  // cp.async names the space of its destination, then that of its source; a barrier is in shared memory.
  const bool copies = m_check.opcode == Opcode::cp && m_check.operands.size() > 1;
  const auto space =
      copies && m_index > 1 ? StateSpace::shared : named_space(m_check.modifiers, copies ? m_index : 0);
  if (!space && variable->space == StateSpace::param) {
    return fail(fmt::format("is the parameter '{}'", variable->name),
                "parameters have no generic address; write .param");
  }
  if (!space || *space == variable->space) return true;
  return fail(
      fmt::format("is '{}', a .{} variable", variable->name, name_of(variable->space)),
      fmt::format("the instruction accesses .{}; write .{}", name_of(*space), name_of(variable->space)));
}

// The registers of a matrix (PTX ISA 9.7.14). Decoding checks their number.
bool OperandChecker::fragment(Operand& operand, bool is_destination) {
  const auto one = [&](const Operand& value) {
    if (value.kind != OperandKind::reg) {
      return fail("has " + text(value), is_destination ? "parts of a matrix are written to registers"
                                                       : "parts of a matrix are read from registers");
    }
    const Register& reg = m_check.function.registers[value.index];
    const uint32_t bits = bits_of(reg.type);
    const bool whole = reg.vector == 1 || value.component != 255;
    return (whole && (bits == 32 || bits == 64)) ||
           fail("has " + text(value), "parts of a matrix are held in registers of 32 or, for f64, 64 bits");
  };
  if (operand.kind != OperandKind::vector) return one(operand);
  return std::ranges::all_of(children(operand), one);
}

// [handle, {coordinates}]
bool OperandChecker::texture(const Operand& operand) {
  if (!address(operand)) return false;
  if (operand.children == 0)
    return fail("has no coordinates", "write them behind the handle: [%rd1, {%f1, %f2}]");
  for (const Operand& each : children(operand)) {
    if (each.kind == OperandKind::immediate || each.kind == OperandKind::sink) continue;
    if (each.kind != OperandKind::reg)
      return fail("has a coordinate that is no register", "move it into one");
    const Register& reg = m_check.function.registers[each.index];
    if (bits_of(reg.type) != 32) {
      return fail(fmt::format("has the coordinate '{}' of type .{}", reg.name, text_of(reg.type)),
                  "coordinates have 32 bits");
    }
  }
  return true;
}

bool OperandChecker::callee(const Operand& operand) {
  if (operand.kind == OperandKind::symbol && operand.symbol_kind == SymbolKind::function) {
    const Function& function = m_check.module.functions[operand.index];
    return !function.is_entry || fail(fmt::format("is the kernel '{}'", function.name),
                                      "kernels are launched, not called; make it a .func");
  }
  if (operand.kind == OperandKind::reg) return register_fits(operand, {Modifier::u64, false, true});
  return fail("is " + text(operand), "it must be a function, or a register that holds one's address");
}

bool OperandChecker::call_values(const Operand& list, const std::vector<Variable>& wanted,
                                 std::string_view what) {
  if (list.children != wanted.size()) {
    return fail(fmt::format("has {} {}", list.children, what),
                fmt::format("the function has {}", wanted.size()));
  }
  const std::span<Operand> values = children(list);
  for (size_t i = 0; i < values.size(); ++i) {
    const Variable& variable = wanted[i];
    Operand& value = values[i];
    if (value.kind == OperandKind::symbol) {
      const Variable* const passed = variable_of(m_check, value);
      if (passed == nullptr || passed->space != StateSpace::param) {
        return fail("passes a variable that is no .param", "copy it into a .param variable with st.param");
      }
      if (passed->bytes == variable.bytes || variable.unsized) continue;
      return fail(fmt::format("passes '{}' of {} bytes", passed->name, passed->bytes),
                  fmt::format("the function's '{}' has {}", variable.name, variable.bytes));
    }
    if (value.kind == OperandKind::sink) continue;
    if (variable.bytes > 8 || variable.vector > 1) continue;
    if (!source(value, {variable.type, true, false})) return false;
  }
  return true;
}

bool OperandChecker::check_together() {
  const std::span<Operand> operands = m_check.operands;
  if (m_check.opcode == Opcode::mov) {
    const bool both =
        m_vector == 0 && operands[0].kind == OperandKind::vector && operands[1].kind == OperandKind::vector;
    return !both || fail("is a vector too", "mov packs a vector into a register or back; use one mov each");
  }
  if (m_check.opcode != Opcode::call || operands[1].kind != OperandKind::symbol) return true;
  const Function& function = m_check.module.functions[operands[1].index];
  m_index = 0;
  if (!call_values(operands[0], function.returns, "results")) return false;
  m_index = 2;
  return call_values(operands[2], function.parameters, "arguments");
}

}  // namespace warplens::ptx
