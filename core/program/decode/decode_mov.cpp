// mov, and instructions that are treated as a mov.
#include "core/program/decode/families.h"

namespace warplens::program {

namespace {

// The parts of a vector in braces, of a vector register, or of a special register such as %tid.
std::vector<Operand> elements_of(const Emitter& emitter, const Operand& operand, uint32_t count) {
  if (operand.kind == OperandKind::vector) {
    const auto children = emitter.children(operand);
    return {children.begin(), children.end()};
  }
  std::vector<Operand> elements(count, operand);
  for (uint32_t i = 0; i < count; ++i) elements[i].component = static_cast<uint8_t>(i);
  return elements;
}

// mov.v4: all parts are read before the first is written.
void move_vector(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  const auto operands = emitter.operands(instruction);
  const Selector s = selector_of(instruction, emitter.modifiers(instruction));
  const uint32_t bits = register_bits(s.type);
  const auto results = elements_of(emitter, operands[0], s.vector),
             sources = elements_of(emitter, operands[1], s.vector);
  const uint32_t read = emitter.adjacent(s.vector, bits);
  const size_t guard = emitter.begin_guard(index, instruction);
  for (uint32_t i = 0; i < s.vector; ++i) {
    const uint32_t a = emitter.source(sources[i], bits);
    if (a == no_slot || !emitter.copy(index, bits, read + i * Frame::exec_bytes(bits), a))
      return emitter.refuse(instruction);
  }
  for (uint32_t i = 0; i < s.vector; ++i) {
    if (results[i].kind == OperandKind::sink) continue;
    const uint32_t d = emitter.destination(results[i]);
    if (d == no_slot || !emitter.copy(index, bits, d, read + i * Frame::exec_bytes(bits)))
      return emitter.refuse(instruction);
  }
  emitter.finish_guard(guard);
}

bool pack_parts(Emitter& emitter, Selector& s, Op& op, std::span<const Operand> operands) {
  const auto parts = emitter.children(operands[1]);
  s.vector = static_cast<uint8_t>(parts.size());
  s.source_bits = static_cast<uint8_t>(ptx::bits_of(s.type) / parts.size());
  uint32_t slots[4] = {no_slot, no_slot, no_slot, no_slot};
  if (parts.size() > 4) return false;
  for (size_t i = 0; i < parts.size(); ++i) {
    slots[i] = emitter.source(parts[i], s.source_bits);
    if (slots[i] == no_slot) return false;
  }
  op = {.d = emitter.destination(operands[0]), .a = slots[0], .b = slots[1], .c = slots[2], .e = slots[3]};
  return op.d != no_slot;
}

bool unpack_parts(Emitter& emitter, Selector& s, Op& op, std::span<const Operand> operands) {
  const auto parts = emitter.children(operands[0]);
  s.vector = static_cast<uint8_t>(parts.size());
  s.source_bits = static_cast<uint8_t>(ptx::bits_of(s.type));
  uint32_t slots[4] = {no_slot, no_slot, no_slot, no_slot};
  if (parts.size() > 4) return false;
  for (size_t i = 0; i < parts.size(); ++i) slots[i] = emitter.destination(parts[i]);
  op = {.d = slots[0],
        .a = emitter.source(operands[1], ptx::bits_of(s.type)),
        .b = slots[1],
        .c = slots[2],
        .e = slots[3]};
  return op.a != no_slot;
}

}  // namespace

void decode_mov(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  const auto operands = emitter.operands(instruction);
  Selector s = selector_of(instruction, emitter.modifiers(instruction));
  const uint32_t bits = register_bits(s.type);
  if (s.vector != 1) return move_vector(emitter, index, instruction);
  const size_t first_op = emitter.next_op();
  Op op;
  if (operands[1].kind == OperandKind::vector) {
    if (!pack_parts(emitter, s, op, operands)) return emitter.refuse(instruction);
  } else if (operands[0].kind == OperandKind::vector) {
    if (!unpack_parts(emitter, s, op, operands)) return emitter.refuse(instruction);
  } else {
    const bool predicate = is_predicate(s.type);
    const uint32_t a = predicate && operands[1].kind == OperandKind::reg
                           ? emitter.component_slot(operands[1].index, 255)
                       : predicate && operands[1].kind == OperandKind::immediate
                           ? emitter.constant(operands[1].bits != 0 ? 0xffffffff : 0, 32)
                       : predicate ? emitter.constant(0, 32)  // %is_explicit_cluster
                                   : emitter.source(operands[1], bits);
    op.d = emitter.destination(operands[0]);
    op.a = a;
    if (a == no_slot || op.d == no_slot || operands[1].negated) return emitter.refuse(instruction);
    const bool constant = emitter.is_launch_constant(operands[1]);
    const bool stable = constant || (operands[1].kind == OperandKind::special &&
                                     !changes_while_running(static_cast<SpecialRegister>(operands[1].index)));
    if (stable && !is_predicate(s.type) && emitter.rename(instruction, operands[0], a, constant)) return;
  }
  if (!emitter.emit_guarded(index, instruction, s, op)) return emitter.refuse(instruction);
  if (operands[1].kind != OperandKind::vector) {
    emitter.hoist_if_constant(first_op, instruction, operands[0], operands.subspan(1));
  }
}

// A cache policy is a value that only memory instructions read, and there it has no effect.
void decode_createpolicy(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  const uint32_t d = emitter.destination(emitter.operands(instruction)[0]);
  if (d == no_slot) return emitter.refuse(instruction);
  const size_t guard = emitter.begin_guard(index, instruction);
  emitter.copy(index, 64, d, emitter.constant(0, 64));
  emitter.finish_guard(guard);
}

}  // namespace warplens::program
