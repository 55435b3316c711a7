// Arithmetic, comparison, conversion and moves.
#include "core/program/decode/decoder.h"
#include "core/program/op/address_space.h"
#include "core/program/op/rounding.h"

namespace warplens::program {

// A register that is written once, without a guard, from launch constants alone holds the same value in
// every block: its ops move to the prologue.
void Decoder::hoist_if_constant(size_t first_op, const Instruction& instruction, const Operand& result,
                                std::span<const Operand> sources) {
  if (m_program.for_stepping || instruction.guarded) return;
  if (result.kind != OperandKind::reg || result.component != 255) return;
  if (m_definitions[result.index] != 1 || !only_computes(instruction.opcode)) return;
  if (is_predicate(m_function.registers[result.index].type)) return;
  for (const Operand& operand : sources) {
    if (!is_launch_constant(operand)) return;
  }
  m_constant_register[result.index] = true;
  const auto first = m_program.ops.begin() + static_cast<std::ptrdiff_t>(first_op);
  m_program.prologue.insert(m_program.prologue.end(), first, m_program.ops.end());
  m_program.ops.erase(first, m_program.ops.end());
}

// True where the destination became another name of the slot.
bool Decoder::rename(const Instruction& instruction, const Operand& result, uint32_t slot,
                     bool launch_constant) {
  if (m_program.for_stepping || instruction.guarded || result.kind != OperandKind::reg ||
      result.component != 255)
    return false;
  if (m_definitions[result.index] != 1 || m_function.registers[result.index].vector != 1) return false;
  if (m_first_read[result.index] < m_current) return false;  // that op reads the register itself
  m_alias[result.index] = slot;
  m_constant_register[result.index] = launch_constant;
  return true;
}

// Opcodes whose operands are a destination and up to four sources, each of the width that its form gives.
void Decoder::decode_plain(uint32_t index, const Instruction& instruction) {
  const auto operands = m_function.operands_of(instruction);
  const auto modifiers = m_function.modifiers_of(instruction);
  Selector s = selector_of(instruction, modifiers);
  if (operands.size() < 2 || operands.size() > 5) return refuse(instruction);
  if (ptx::unit_of(instruction.opcode) == ptx::Unit::warp) return refuse(instruction);
  const size_t first_op = m_program.ops.size();
  uint32_t slots[4] = {no_slot, no_slot, no_slot, no_slot};
  for (size_t i = 1; i < operands.size(); ++i) {
    slots[i - 1] = source(operands[i], source_bits(instruction.opcode, s, i));
    if (slots[i - 1] == no_slot || operands[i].negated) return refuse(instruction);
  }
  const uint32_t d = destination(operands[0]);
  if (d == no_slot) return refuse(instruction);
  const size_t guard = begin_guard(index, instruction);
  if (s.has_rounding && s.rounding != Modifier::rn && instruction.opcode != Opcode::cvt) {
    append(index, {.handlers = m_table.both(Routine::rounded), .immediate = fenv_mode(s.rounding)});
  }
  Op op{.d = d, .a = slots[0], .b = slots[1], .c = slots[2], .e = slots[3], .extra = half_flags(modifiers)};
  const bool chained = s.carry_in || s.carry_out;
  if (chained) op.state = carry_slot();
  if (!emit(index, s, op)) return refuse(instruction);
  finish_guard(guard);
  // A flag that another instruction reads has to be there in each block.
  if (!chained) hoist_if_constant(first_op, instruction, operands[0], operands.subspan(1));
}

uint32_t Decoder::carry_slot() {
  if (m_carry == no_slot) {
    m_carry = m_frame.lanes(16);
    m_program.cleared.emplace_back(m_carry, 4);
  }
  return m_carry;
}

// The width of source i (1 is a).
uint32_t Decoder::source_bits(Opcode opcode, const Selector& s, size_t i) {
  switch (opcode) {
    case Opcode::shl:
    case Opcode::shr:
    case Opcode::bfe:
      return i == 1 ? register_bits(s.type) : 32;
    case Opcode::bfi:
      return i <= 2 ? register_bits(s.type) : 32;
    case Opcode::set:
      return register_bits(s.source_type);
    case Opcode::cvt:
      return s.pack ? 32 : register_bits(s.source_type);
    case Opcode::dp2a:
    case Opcode::dp4a:
    case Opcode::fns:
      return 32;
    case Opcode::slct:
      return i == 3 ? 32 : register_bits(s.type);
    case Opcode::mul:
    case Opcode::mad:
      return s.wide && i == 3 ? 2 * register_bits(s.type) : register_bits(s.type);
    default:
      return register_bits(s.type);
  }
}

void Decoder::decode_setp(uint32_t index, const Instruction& instruction) {
  const auto operands = m_function.operands_of(instruction);
  const auto modifiers = m_function.modifiers_of(instruction);
  Selector s = selector_of(instruction, modifiers);
  s.source_type = s.type;
  const bool pair = operands[0].kind == OperandKind::pair;
  const auto results = m_function.children_of(operands[0]);
  Op op;
  op.d = destination(pair ? results[0] : operands[0]);
  op.e = pair ? destination(results[1]) : no_slot;
  op.a = source(operands[1], register_bits(s.type));
  op.b = source(operands[2], register_bits(s.type));
  if (operands.size() > 3) {
    op.c = predicate_source(operands[3]);
    if (operands[3].negated) op.flags |= flag_negated;
  }
  if (op.a == no_slot || op.b == no_slot) return refuse(instruction);
  const size_t guard = begin_guard(index, instruction);
  if (!emit_comparison(index, s, op)) return refuse(instruction);
  if (!instruction.guarded) m_comparison = m_program.ops.size() - 1;
  finish_guard(guard);
}

void Decoder::decode_selp(uint32_t index, const Instruction& instruction) {
  const auto operands = m_function.operands_of(instruction);
  const Selector s = selector_of(instruction, m_function.modifiers_of(instruction));
  Op op{.d = destination(operands[0]),
        .a = source(operands[1], register_bits(s.type)),
        .b = source(operands[2], register_bits(s.type))};
  if (operands[3].kind != OperandKind::reg || op.d == no_slot || op.a == no_slot || op.b == no_slot) {
    return refuse(instruction);
  }
  op.c = component_slot(operands[3].index, 255);
  if (operands[3].negated) op.flags |= flag_negated;
  const size_t guard = begin_guard(index, instruction);
  if (!emit(index, s, op)) return refuse(instruction);
  finish_guard(guard);
}

void Decoder::decode_cvta(uint32_t index, const Instruction& instruction) {
  const auto operands = m_function.operands_of(instruction);
  const auto modifiers = m_function.modifiers_of(instruction);
  const Selector s = selector_of(instruction, modifiers);
  if (register_bits(s.type) != 64)
    return refuse(instruction, "32-bit generic addresses do not exist on the GPUs of today.");
  const Modifier space = space_of(modifiers);
  const uint32_t a = source(operands[1], 64);
  const uint32_t d = destination(operands[0]);
  if (a == no_slot || d == no_slot) return refuse(instruction);
  const bool constant = is_launch_constant(operands[1]);
  const bool stable =
      constant || (operands[1].kind == OperandKind::reg && m_alias[operands[1].index] != no_slot);
  uint64_t base = space == Modifier::shared  ? shared_window
                  : space == Modifier::local ? local_window
                  : space == Modifier::param ? parameter_window
                                             : 0;
  if (has(modifiers, Modifier::to)) base = 0 - base;
  // Global addresses are generic addresses already.
  if (base == 0 && stable && rename(instruction, operands[0], a, constant)) return;
  const size_t first_op = m_program.ops.size();
  const uint32_t b = m_frame.constant(m_program, base, 64);
  const size_t guard = begin_guard(index, instruction);
  if (!emit(index, s, {.d = d, .a = a, .b = b})) return refuse(instruction);
  finish_guard(guard);
  hoist_if_constant(first_op, instruction, operands[0], operands.subspan(1));
}

void Decoder::decode_is_space(uint32_t index, const Instruction& instruction) {
  const auto operands = m_function.operands_of(instruction);
  Op op{.handlers = m_table.both(Routine::is_space)};
  if (bits_of_register(operands[1]) != 64)
    return refuse(instruction, "32-bit generic addresses do not exist on the GPUs of today.");
  const Modifier space = space_of(m_function.modifiers_of(instruction));
  const uint64_t window = space == Modifier::shared     ? shared_window
                          : space == Modifier::local    ? local_window
                          : space == Modifier::param    ? parameter_window
                          : space == Modifier::constant ? constant_window
                                                        : 0;
  op.d = destination(operands[0]);
  op.a = source(operands[1], 64);
  op.immediate = static_cast<int64_t>(window);
  const size_t guard = begin_guard(index, instruction);
  append(index, op);
  finish_guard(guard);
}

// A cluster is one block: every address is of its own, and its rank is 0.
void Decoder::decode_cluster_address(uint32_t index, const Instruction& instruction) {
  const auto operands = m_function.operands_of(instruction);
  Selector s;
  s.opcode = Opcode::mov;
  const uint32_t bits = bits_of_register(operands[0]);
  s.type = bits == 64 ? Modifier::b64 : Modifier::b32;
  const bool is_rank = instruction.opcode == Opcode::getctarank;
  const uint32_t a = is_rank ? m_frame.constant(m_program, 0, 32) : source(operands[1], bits);
  if (a == no_slot) return refuse(instruction);
  const size_t guard = begin_guard(index, instruction);
  if (!emit(index, s, {.d = destination(operands[0]), .a = a})) return refuse(instruction);
  finish_guard(guard);
}

void Decoder::decode_mov(uint32_t index, const Instruction& instruction) {
  const auto operands = m_function.operands_of(instruction);
  Selector s = selector_of(instruction, m_function.modifiers_of(instruction));
  const uint32_t bits = register_bits(s.type);
  if (s.vector != 1) return decode_mov_vector(index, instruction);
  const size_t first_op = m_program.ops.size();
  Op op;
  if (operands[1].kind == OperandKind::vector) {
    if (!pack(s, op, operands)) return refuse(instruction);
  } else if (operands[0].kind == OperandKind::vector) {
    if (!unpack(s, op, operands)) return refuse(instruction);
  } else {
    const bool predicate = is_predicate(s.type);
    const uint32_t a = predicate && operands[1].kind == OperandKind::reg
                           ? component_slot(operands[1].index, 255)
                       : predicate && operands[1].kind == OperandKind::immediate
                           ? m_frame.constant(m_program, operands[1].bits != 0 ? 0xffffffff : 0, 32)
                       : predicate ? m_frame.constant(m_program, 0, 32)  // %is_explicit_cluster
                                   : source(operands[1], bits);
    op.d = destination(operands[0]);
    op.a = a;
    if (a == no_slot || op.d == no_slot || operands[1].negated) return refuse(instruction);
    const bool constant = is_launch_constant(operands[1]);
    const bool stable = constant || (operands[1].kind == OperandKind::special &&
                                     !changes_while_running(static_cast<SpecialRegister>(operands[1].index)));
    if (stable && !is_predicate(s.type) && rename(instruction, operands[0], a, constant)) return;
  }
  const size_t guard = begin_guard(index, instruction);
  if (!emit(index, s, op)) return refuse(instruction);
  finish_guard(guard);
  if (operands[1].kind != OperandKind::vector) {
    hoist_if_constant(first_op, instruction, operands[0], operands.subspan(1));
  }
}

bool Decoder::pack(Selector& s, Op& op, std::span<const Operand> operands) {
  const auto parts = m_function.children_of(operands[1]);
  s.vector = static_cast<uint8_t>(parts.size());
  s.source_bits = static_cast<uint8_t>(ptx::bits_of(s.type) / parts.size());
  uint32_t slots[4] = {no_slot, no_slot, no_slot, no_slot};
  if (parts.size() > 4) return false;
  for (size_t i = 0; i < parts.size(); ++i) {
    slots[i] = source(parts[i], s.source_bits);
    if (slots[i] == no_slot) return false;
  }
  op = {.d = destination(operands[0]), .a = slots[0], .b = slots[1], .c = slots[2], .e = slots[3]};
  return op.d != no_slot;
}

bool Decoder::unpack(Selector& s, Op& op, std::span<const Operand> operands) {
  const auto parts = m_function.children_of(operands[0]);
  s.vector = static_cast<uint8_t>(parts.size());
  s.source_bits = static_cast<uint8_t>(ptx::bits_of(s.type));
  uint32_t slots[4] = {no_slot, no_slot, no_slot, no_slot};
  if (parts.size() > 4) return false;
  for (size_t i = 0; i < parts.size(); ++i) slots[i] = destination(parts[i]);
  op = {.d = slots[0],
        .a = source(operands[1], ptx::bits_of(s.type)),
        .b = slots[1],
        .c = slots[2],
        .e = slots[3]};
  return op.a != no_slot;
}

}  // namespace warplens::program
