// Arithmetic: a destination and up to four sources, each with the width that the form gives. lop3 may also
// have a predicate.
#include "core/program/decode/families.h"
#include "core/program/op/rounding.h"

namespace warplens::program {

namespace {

// The width of source i (1 is a).
uint32_t source_bits(Opcode opcode, const Selector& s, size_t i) {
  switch (opcode) {
    case Opcode::shl:
    case Opcode::shr:
    case Opcode::bfe:
      return i == 1 ? register_bits(s.type) : 32;
    case Opcode::bfi:
      return i <= 2 ? register_bits(s.type) : 32;
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

}  // namespace

void decode_plain(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  const auto operands = emitter.operands(instruction);
  const auto modifiers = emitter.modifiers(instruction);
  Selector s = selector_of(instruction, modifiers);
  if (operands.size() < 2 || operands.size() > 5) return emitter.refuse(instruction);
  const size_t first_op = emitter.next_op();
  uint32_t slots[4] = {no_slot, no_slot, no_slot, no_slot};
  for (size_t i = 1; i < operands.size(); ++i) {
    slots[i - 1] = emitter.source(operands[i], source_bits(instruction.opcode, s, i));
    if (slots[i - 1] == no_slot || operands[i].negated) return emitter.refuse(instruction);
  }
  const uint32_t d = emitter.destination(operands[0]);
  if (d == no_slot) return emitter.refuse(instruction);
  const size_t guard = emitter.begin_guard(index, instruction);
  if (s.has_rounding && s.rounding != Modifier::rn && instruction.opcode != Opcode::cvt) {
    emitter.append_rounding(index, fenv_mode(s.rounding));
  }
  s.sources = static_cast<uint8_t>(operands.size() - 1);
  Op op{.d = d, .a = slots[0], .b = slots[1], .c = slots[2], .e = slots[3]};
  set_half_flags(op, half_flags(modifiers));
  const bool chained = s.carry_in || s.carry_out;
  if (chained) set_carry_slot(op, emitter.carry_slot());
  if (!emitter.emit(index, s, op) || emitter.last_op().handlers.sources != s.sources)
    return emitter.refuse(instruction);
  emitter.finish_guard(guard);
  // A flag that another instruction reads must be set in each block.
  if (!chained) emitter.hoist_if_constant(first_op, instruction, operands[0], operands.subspan(1));
}

// lop3.or d|p, a, b, c, table, q: p = (d != 0) or q.
void decode_lop3(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  const auto operands = emitter.operands(instruction);
  Selector s = selector_of(instruction, emitter.modifiers(instruction));
  if (!s.has_boolean) return decode_plain(emitter, index, instruction);
  const bool pair = operands[0].kind == OperandKind::pair;
  const auto results = emitter.children(operands[0]);
  const uint32_t written = emitter.destination(pair ? results[0] : operands[0]);
  const Op value{.d = written == no_slot ? emitter.lanes(32) : written,
                 .a = emitter.source(operands[1], 32),
                 .b = emitter.source(operands[2], 32),
                 .c = emitter.source(operands[3], 32),
                 .e = emitter.source(operands[4], 32)};
  for (const uint32_t slot : {value.a, value.b, value.c, value.e}) {
    if (slot == no_slot) return emitter.refuse(instruction);
  }
  Op predicate{.d = pair ? emitter.destination(results[1]) : no_slot, .a = value.d};
  emitter.set_predicate(predicate, operands[5]);
  const size_t guard = emitter.begin_guard(index, instruction);
  Selector plain = s;
  plain.has_boolean = false;
  if (!emitter.emit(index, plain, value) || !emitter.emit(index, s, predicate))
    return emitter.refuse(instruction);
  emitter.finish_guard(guard);
}

}  // namespace warplens::program
