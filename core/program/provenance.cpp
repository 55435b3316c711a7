// A flow-insensitive analysis of the entry: each register represents everything that is ever written to it.
// Values from memory, calls or variables of the module are "any". A copy of "any" merged with others is
// "any"; added to an argument it is an offset.
#include "core/program/provenance.h"

#include "core/program/flow/liveness.h"

namespace warplens::program {

namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::OperandKind;

struct Origin {
  uint64_t parameters = 0;
  bool any = false;
  bool operator==(const Origin&) const = default;
  void join(const Origin& other) {
    parameters |= other.parameters;
    any = any || other.any;
  }
};

enum class Role : uint8_t { copy, sum, number, unknown };

Role role_of(const ptx::Function& function, const ptx::Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::mov:
    case Opcode::cvta:
    case Opcode::selp:
    case Opcode::min:
    case Opcode::max:
      for (const Operand& operand : function.operands_of(instruction))
        if (operand.kind == OperandKind::vector) return Role::unknown;
      return Role::copy;
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mad:
    case Opcode::and_:
    case Opcode::or_:
    case Opcode::lop3:
      return Role::sum;
    case Opcode::mul:
    case Opcode::shl:
    case Opcode::shr:
    case Opcode::cvt:
    case Opcode::div:
    case Opcode::rem:
    case Opcode::setp:
    case Opcode::set:
    case Opcode::bfe:
    case Opcode::popc:
    case Opcode::clz:
      return Role::number;
    default:
      return Role::unknown;
  }
}

class Analysis {
 public:
  explicit Analysis(const ptx::Function& function)
      : m_function(function), m_origins(function.registers.size()) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const ptx::Instruction& instruction : function.instructions)
        changed = visit(instruction) || changed;
    }
  }

  uint64_t of_address(const ptx::Instruction& instruction) const {
    for (const Operand& operand : m_function.operands_of(instruction)) {
      if (operand.kind != OperandKind::address) continue;
      if (operand.base != OperandKind::reg) return 0;
      const Origin& origin = m_origins[operand.index];
      return origin.any ? 0 : origin.parameters;
    }
    return 0;
  }

 private:
  Origin of(const Operand& operand) const {
    switch (operand.kind) {
      case OperandKind::reg:
        return m_origins[operand.index];
      case OperandKind::symbol:
        return {0, true};
      default:
        return {};
    }
  }

  Origin result_of(const ptx::Instruction& instruction) const {
    const auto operands = m_function.operands_of(instruction);
    if (instruction.opcode == Opcode::ld) return loaded(operands);
    const Role role = role_of(m_function, instruction);
    if (role == Role::number) return {};
    if (role == Role::unknown) return {0, true};
    Origin origin;
    for (size_t i = 1; i < operands.size(); ++i) origin.join(of(operands[i]));
    if (role == Role::sum && origin.parameters != 0) origin.any = false;
    return origin;
  }

  static Origin loaded(std::span<const Operand> operands) {
    const Operand& from = operands[1];
    const bool parameter = from.base == OperandKind::symbol &&
                           from.symbol_kind == ptx::SymbolKind::parameter && from.offset == 0 &&
                           from.index < 64 && operands[0].kind == OperandKind::reg;
    return parameter ? Origin{uint64_t{1} << from.index, false} : Origin{0, true};
  }

  bool visit(const ptx::Instruction& instruction) {
    bool changed = false;
    Origin made;
    bool known = false;
    for (const uint32_t r : uses_of(m_function, instruction).writes) {
      if (!known) made = result_of(instruction);
      known = true;
      // Only a value as wide as an address can be one. A 32-bit number is an offset in it.
      const uint32_t bits = is_wide(r) ? 64 : 32;
      Origin now = m_origins[r];
      if (bits == 64) now.join(made);
      changed = changed || !(now == m_origins[r]);
      m_origins[r] = now;
    }
    return changed;
  }

  bool is_wide(uint32_t r) const {
    const Modifier type = m_function.registers[r].type;
    return type != Modifier::pred && ptx::bits_of(type) >= 64;
  }

  const ptx::Function& m_function;
  std::vector<Origin> m_origins;
};

}  // namespace

std::vector<uint64_t> provenance_of(const Program& program) {
  std::vector<uint64_t> found(program.instructions(), 0);
  const ptx::Function& entry = *program.function;
  const Analysis analysis(entry);
  for (size_t i = 0; i < entry.instructions.size(); ++i) {
    const Opcode opcode = entry.instructions[i].opcode;
    if (opcode == Opcode::ld || opcode == Opcode::st || opcode == Opcode::atom || opcode == Opcode::red)
      found[i] = analysis.of_address(entry.instructions[i]);
  }
  return found;
}

}  // namespace warplens::program
