#include "core/gpu/machine/issue_unit.h"

#include <algorithm>
#include <array>
#include <optional>

namespace warplens {
namespace {

using ptx::Modifier;
using ptx::Opcode;

// The type of the operation: the first of the instruction.
std::optional<Modifier> type_of(const ptx::Function& function, const ptx::Instruction& instruction) {
  for (const Modifier modifier : function.modifiers_of(instruction))
    if (kind_of(modifier) == ptx::ModifierKind::type) return modifier;
  return std::nullopt;
}

// Whether the opcode has both integer and floating-point forms; the table's unit is that of the integer form.
bool has_float_twin(Opcode opcode) {
  switch (opcode) {
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul:
    case Opcode::mad:
    case Opcode::fma:
    case Opcode::min:
    case Opcode::max:
    case Opcode::abs:
    case Opcode::neg:
      return true;
    default:
      return false;
  }
}

bool is_fused(Opcode opcode) {
  return opcode == Opcode::fma || opcode == Opcode::mad || opcode == Opcode::mad24;
}

bool multiplies(Opcode opcode) {
  return opcode == Opcode::mul || opcode == Opcode::mad || opcode == Opcode::mul24 || opcode == Opcode::mad24;
}

// mul.wide of 32-bit numbers is one instruction with a 64-bit result.
IssueUnit integer_unit(Opcode opcode, std::optional<Modifier> type, bool wide_result) {
  const bool wide = type && bits_of(*type) == 64;
  if (multiplies(opcode)) return wide && !wide_result ? IssueUnit::wide_multiply : IssueUnit::multiply;
  return wide ? IssueUnit::wide_integer : IssueUnit::integer;
}

// A conversion has the type of its result, and then that of its operand.
std::array<std::optional<Modifier>, 2> types_of(const ptx::Function& function,
                                                const ptx::Instruction& instruction) {
  std::array<std::optional<Modifier>, 2> types;
  size_t found = 0;
  for (const Modifier modifier : function.modifiers_of(instruction))
    if (kind_of(modifier) == ptx::ModifierKind::type && found < types.size()) types[found++] = modifier;
  return types;
}

// The conversion unit takes conversions between floats and integers. A 32-bit integer is converted to a float
// in the integer units; a shorter or longer integer is already in the register, except for a sign or a mask.
// ncu's pipe counts on an H200 show it.
IssueUnit unit_of_conversion(const ptx::Function& function, const ptx::Instruction& instruction) {
  const auto [to, from] = types_of(function, instruction);
  if (!to || !from) return IssueUnit::convert;
  if (is_float(*to))
    return !is_float(*from) && bits_of(*from) == 32 ? IssueUnit::integer : IssueUnit::convert;
  if (is_float(*from)) return IssueUnit::convert;
  for (const Modifier modifier : function.modifiers_of(instruction))
    if (modifier == Modifier::sat) return IssueUnit::integer;
  const bool wider = bits_of(*to) > bits_of(*from);
  const bool from_byte = bits_of(*from) == 8;  // whose register has 16 bits or more
  return (wider && is_signed(*from)) || from_byte ? IssueUnit::integer : IssueUnit::removed;
}

// Instructions that the assembler removes: a register already has the value, or an instruction can take it as
// an operand.
bool is_removed(const ptx::Function& function, const ptx::Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::cvta:
      return true;
    case Opcode::mov:
      return function.operands_of(instruction).back().kind != ptx::OperandKind::special;
    case Opcode::ld: {
      const auto modifiers = function.modifiers_of(instruction);
      return std::find(modifiers.begin(), modifiers.end(), Modifier::param) != modifiers.end();
    }
    default:
      return false;
  }
}

IssueCost arithmetic(Opcode opcode, std::optional<Modifier> type, bool wide_result) {
  const uint32_t operations = is_fused(opcode) ? 2 : 1;
  if (!type || !is_float(*type)) return {integer_unit(opcode, type, wide_result), 0, 0, operations};
  const uint32_t bits = bits_of(*type);
  if (bits == 64) return {IssueUnit::fp64, 0, operations, 0};
  const bool pair = *type == Modifier::f16x2 || *type == Modifier::bf16x2;
  if (pair || bits == 16) return {IssueUnit::fp16, operations * (pair ? 2u : 1u), 0, 0};
  return {IssueUnit::fp32, operations, 0, 0};
}

// .rn and similar, in place of .approx: the assembler makes a sequence of instructions.
bool is_rounded(const ptx::Function& function, const ptx::Instruction& instruction) {
  for (const Modifier modifier : function.modifiers_of(instruction))
    if (modifier == Modifier::approx || modifier == Modifier::full) return false;
  switch (instruction.opcode) {
    case Opcode::div:
    case Opcode::rcp:
    case Opcode::sqrt:
      return true;
    default:
      return false;
  }
}

IssueUnit unit_of_table(Opcode opcode) {
  switch (ptx::unit_of(opcode)) {
    case ptx::Unit::integer:
    case ptx::Unit::video:  // several instructions of the integer units
      return IssueUnit::integer;
    case ptx::Unit::fp32:
      return IssueUnit::fp32;
    case ptx::Unit::fp64:
      return IssueUnit::fp64;
    case ptx::Unit::fp16:
      return IssueUnit::fp16;
    case ptx::Unit::special:
      return IssueUnit::special;
    case ptx::Unit::convert:
      return IssueUnit::convert;
    case ptx::Unit::memory:
    case ptx::Unit::texture:
      return IssueUnit::memory;
    case ptx::Unit::warp:
      return IssueUnit::warp;
    case ptx::Unit::tensor:
      return IssueUnit::tensor;
    case ptx::Unit::control:
    case ptx::Unit::barrier:
    case ptx::Unit::move:
      return IssueUnit::other;
  }
  return IssueUnit::other;
}

}  // namespace

IssueCost issue_cost(const ptx::Function& function, const ptx::Instruction& instruction) {
  const Opcode opcode = instruction.opcode;
  const std::optional<Modifier> type = type_of(function, instruction);
  if (is_removed(function, instruction)) return {IssueUnit::removed, 0, 0, 0};
  if (has_float_twin(opcode)) {
    const auto modifiers = function.modifiers_of(instruction);
    return arithmetic(opcode, type,
                      std::find(modifiers.begin(), modifiers.end(), Modifier::wide) != modifiers.end());
  }
  const bool is_float_type = type && is_float(*type);
  if (opcode == Opcode::div && is_float_type) {
    const bool wide = bits_of(*type) == 64;
    return {is_rounded(function, instruction) ? IssueUnit::float_divide : IssueUnit::special, wide ? 0u : 1u,
            wide ? 1u : 0u, 0};
  }
  if (opcode == Opcode::div || opcode == Opcode::rem) {
    const bool wide = type && bits_of(*type) == 64;
    return {wide ? IssueUnit::wide_divide : IssueUnit::divide, 0, 0, 1};
  }
  if (opcode == Opcode::cvt) return {unit_of_conversion(function, instruction), 0, 0, 0};
  IssueUnit unit = unit_of_table(opcode);
  if (unit == IssueUnit::special && is_rounded(function, instruction))
    return {IssueUnit::float_divide, 1, 0, 0};
  const bool wide_integer = unit == IssueUnit::integer && type && !is_float_type && bits_of(*type) == 64;
  // Comparisons and selections of floats run on the integer units, but are not counted as integer
  // operations.
  const bool counts = unit == IssueUnit::integer && !is_float_type && opcode != Opcode::cvta &&
                      opcode != Opcode::setp && opcode != Opcode::selp;
  if (unit == IssueUnit::special) return {unit, 1, 0, 0};
  if (wide_integer) unit = IssueUnit::wide_integer;
  return {unit, 0, 0, counts ? (is_fused(opcode) ? 2u : 1u) : 0u};
}

}  // namespace warplens
