#include "core/gpu/machine/issue_unit.h"

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

// Integer and floating-point forms share one mnemonic; the table's unit is that of the integer form.
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

IssueCost arithmetic(Opcode opcode, std::optional<Modifier> type) {
  const uint32_t operations = is_fused(opcode) ? 2 : 1;
  if (!type || !is_float(*type)) return {IssueUnit::integer, 0, 0, operations};
  const uint32_t bits = bits_of(*type);
  if (bits == 64) return {IssueUnit::fp64, 0, operations, 0};
  const bool pair = *type == Modifier::f16x2 || *type == Modifier::bf16x2;
  if (pair || bits == 16) return {IssueUnit::fp16, operations * (pair ? 2u : 1u), 0, 0};
  return {IssueUnit::fp32, operations, 0, 0};
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
  if (has_float_twin(opcode)) return arithmetic(opcode, type);
  const bool is_float_type = type && is_float(*type);
  if (opcode == Opcode::div && is_float_type) {
    const bool wide = bits_of(*type) == 64;
    return {IssueUnit::special, wide ? 0u : 1u, wide ? 1u : 0u, 0};
  }
  const IssueUnit unit = unit_of_table(opcode);
  // Comparisons and selections of floats run on the integer units, but are not counted as integer
  // operations.
  const bool counts = unit == IssueUnit::integer && !is_float_type && opcode != Opcode::cvta &&
                      opcode != Opcode::setp && opcode != Opcode::selp;
  if (unit == IssueUnit::special) return {unit, 1, 0, 0};
  return {unit, 0, 0, counts ? (is_fused(opcode) ? 2u : 1u) : 0u};
}

}  // namespace warplens
