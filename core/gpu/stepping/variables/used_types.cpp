// Finds the type of a register. PTX declares most registers as .b32 and .b64; the instructions that use them
// have the actual type.
#include <array>

#include "core/gpu/stepping/program/program_table.h"
#include "core/program/flow/liveness.h"

namespace warplens::stepping {

namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::OperandKind;

struct Votes {
  uint32_t floats = 0, is_signed = 0, is_unsigned = 0;
  Modifier float_type = Modifier::f32;
};

class Uses {
 public:
  explicit Uses(const ptx::Function& function) : m_function(function), m_votes(function.registers.size()) {}

  void add(const ptx::Instruction& instruction) {
    std::array<Modifier, 2> types{Modifier::b32, Modifier::b32};
    size_t count = 0;
    for (const Modifier m : m_function.modifiers_of(instruction)) {
      if (ptx::kind_of(m) == ptx::ModifierKind::type && count < 2) types[count++] = m;
    }
    const auto operands = m_function.operands_of(instruction);
    if (count == 0) return;
    const bool first_is_result = instruction.opcode != Opcode::st && instruction.opcode != Opcode::red;
    const bool compares = instruction.opcode == Opcode::setp;
    for (size_t i = 0; i < operands.size(); ++i) {
      const bool result = i == 0 && first_is_result;
      if (result && compares) continue;
      vote(operands[i], result || count == 1 ? types[0] : types[1], result);
    }
  }

  // Moves and selections do not have a type of their own, but both sides have the same type.
  bool join(const ptx::Instruction& instruction) {
    switch (instruction.opcode) {
      case Opcode::mov:
      case Opcode::selp:
      case Opcode::shfl:
        break;
      default:
        return false;
    }
    const auto operands = m_function.operands_of(instruction);
    bool changed = false;
    const uint32_t to = register_of(operands[0]);
    if (to == UINT32_MAX) return false;
    for (size_t i = 1; i < operands.size() && i < 3; ++i) {
      const uint32_t from = register_of(operands[i]);
      if (from == UINT32_MAX || !same_width(to, from)) continue;
      changed = copy(from, to) || copy(to, from) || changed;
      if (instruction.opcode != Opcode::selp) break;
    }
    return changed;
  }

  Modifier type_of(uint32_t r) const {
    const Modifier declared = m_function.registers[r].type;
    const Votes& votes = m_votes[r];
    const uint32_t bits = ptx::bits_of(declared);
    if (declared == Modifier::pred || ptx::is_float(declared)) return declared;
    if (votes.floats != 0 && votes.floats >= votes.is_signed + votes.is_unsigned) return votes.float_type;
    // Without such an instruction, 32-bit numbers are mostly int, and 64-bit numbers are mostly addresses.
    const bool is_signed =
        votes.is_signed != votes.is_unsigned ? votes.is_signed > votes.is_unsigned : bits <= 32;
    switch (bits) {
      case 16:
        return is_signed ? Modifier::s16 : Modifier::u16;
      case 32:
        return is_signed ? Modifier::s32 : Modifier::u32;
      case 64:
        return is_signed ? Modifier::s64 : Modifier::u64;
      default:
        return declared;
    }
  }

 private:
  uint32_t register_of(const Operand& operand) const {
    if (operand.kind == OperandKind::reg) return operand.index;
    if (operand.kind != OperandKind::pair) return UINT32_MAX;
    return register_of(m_function.children_of(operand)[0]);
  }
  bool same_width(uint32_t a, uint32_t b) const {
    return ptx::bits_of(m_function.registers[a].type) == ptx::bits_of(m_function.registers[b].type);
  }
  bool is_silent(uint32_t r) const {
    const Votes& votes = m_votes[r];
    return votes.floats + votes.is_signed + votes.is_unsigned == 0;
  }
  bool copy(uint32_t from, uint32_t to) {
    if (is_silent(from) || !is_silent(to)) return false;
    m_votes[to] = m_votes[from];
    return true;
  }

  void vote(const Operand& operand, Modifier type, bool result) {
    for (const Operand& child : m_function.children_of(operand)) vote(child, type, result);
    if (operand.kind != OperandKind::reg) return;
    const uint32_t bits = ptx::bits_of(m_function.registers[operand.index].type);
    // The result of a wide product, or a value that is narrower than its register.
    const bool fits = ptx::bits_of(type) == bits || (!ptx::is_float(type) && ptx::bits_of(type) < bits);
    if (!fits) return;
    Votes& votes = m_votes[operand.index];
    if (ptx::is_float(type)) {
      ++votes.floats;
      votes.float_type = type;
    } else if (ptx::is_signed(type)) {
      ++votes.is_signed;
    } else if (ptx::text_of(type).starts_with('u')) {
      ++votes.is_unsigned;
    }
  }

  const ptx::Function& m_function;
  std::vector<Votes> m_votes;
};

}  // namespace

std::vector<Modifier> used_types(const ptx::Function& function) {
  Uses uses(function);
  for (const ptx::Instruction& instruction : function.instructions) uses.add(instruction);
  // Chains of moves are short, so a few rounds are enough.
  for (int round = 0; round < 4; ++round) {
    bool changed = false;
    for (const ptx::Instruction& instruction : function.instructions)
      changed = uses.join(instruction) || changed;
    if (!changed) break;
  }
  std::vector<Modifier> types;
  for (uint32_t r = 0; r < function.registers.size(); ++r) types.push_back(uses.type_of(r));
  return types;
}

}  // namespace warplens::stepping
