// setp, selp and set. Comparisons of 16-bit floats are made in f32. set becomes a comparison into a temporary
// predicate and a selection.
#include "core/program/decode/families.h"

namespace warplens::program {

namespace {

bool is_half_pair(Modifier type) { return type == Modifier::f16x2 || type == Modifier::bf16x2; }

// The value that set writes if the comparison is true, PTX ISA 9.7.6.1 and 9.7.7.1.
uint64_t true_value(Modifier type) {
  switch (type) {
    case Modifier::f32:
      return 0x3f800000;
    case Modifier::f16:
    case Modifier::f16x2:
      return 0x3c00;
    case Modifier::bf16:
    case Modifier::bf16x2:
      return 0x3f80;
    default:
      return 0xffffffff;
  }
}

// A slot with a 16-bit float converted to f32, flushed to zero if .ftz is given.
uint32_t widened(Emitter& emitter, uint32_t index, uint32_t half, const Selector& s) {
  const uint32_t wide = emitter.lanes(32);
  Selector widen;
  widen.opcode = Opcode::cvt;
  widen.type = Modifier::f32;
  widen.source_type = s.source_type == Modifier::f16x2    ? Modifier::f16
                      : s.source_type == Modifier::bf16x2 ? Modifier::bf16
                                                          : s.source_type;
  Op op{.d = wide, .a = half};
  set_half_flags(op, s.ftz ? half_ftz : uint8_t{0});
  emitter.emit(index, widen, op);
  return wide;
}

// s.source_type is the type that is compared. For a pair, d gets the lower halves' result and e the upper
// ones'.
bool emit_comparison(Emitter& emitter, uint32_t index, const Selector& s, const Op& op) {
  if (!is_half(s.source_type) && !is_half_pair(s.source_type)) return emitter.emit(index, s, op);
  Selector wide = s;
  wide.type = wide.source_type = Modifier::f32;
  wide.ftz = false;
  if (is_half(s.source_type)) {
    Op one = op;
    one.a = widened(emitter, index, op.a, s);
    one.b = widened(emitter, index, op.b, s);
    return emitter.emit(index, wide, one);
  }
  uint32_t halves[4] = {};
  for (uint32_t& half : halves) half = emitter.lanes(16);
  Selector unpack;
  unpack.opcode = Opcode::mov;
  unpack.type = Modifier::b32;
  unpack.vector = 2;
  emitter.emit(index, unpack, {.d = halves[0], .a = op.a, .b = halves[1]});
  emitter.emit(index, unpack, {.d = halves[2], .a = op.b, .b = halves[3]});
  for (uint32_t i = 0; i < 2; ++i) {
    Op one = op;
    one.d = i == 0 ? op.d : op.e;
    one.e = no_slot;
    one.a = widened(emitter, index, halves[i], s);
    one.b = widened(emitter, index, halves[2 + i], s);
    if (one.d != no_slot && !emitter.emit(index, wide, one)) return false;
  }
  return true;
}

// d = predicate ? chosen : 0
bool emit_choice(Emitter& emitter, uint32_t index, uint32_t d, uint32_t bits, uint64_t chosen,
                 uint32_t predicate) {
  Selector s;
  s.opcode = Opcode::selp;
  s.type = bits == 16 ? Modifier::b16 : Modifier::b32;
  return emitter.emit(index, s,
                      {.d = d,
                       .a = emitter.constant(truncated(chosen, bits), bits),
                       .b = emitter.constant(0, bits),
                       .c = predicate});
}

}  // namespace

void decode_setp(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  const auto operands = emitter.operands(instruction);
  const auto modifiers = emitter.modifiers(instruction);
  Selector s = selector_of(instruction, modifiers);
  s.source_type = s.type;
  const bool pair = operands[0].kind == OperandKind::pair;
  const auto results = emitter.children(operands[0]);
  Op op;
  op.d = emitter.destination(pair ? results[0] : operands[0]);
  op.e = pair ? emitter.destination(results[1]) : no_slot;
  op.a = emitter.source(operands[1], register_bits(s.type));
  op.b = emitter.source(operands[2], register_bits(s.type));
  if (operands.size() > 3) emitter.set_predicate(op, operands[3]);
  if (op.a == no_slot || op.b == no_slot) return emitter.refuse(instruction);
  const size_t guard = emitter.begin_guard(index, instruction);
  if (!emit_comparison(emitter, index, s, op)) return emitter.refuse(instruction);
  emitter.finish_guard(guard);
}

void decode_selp(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  const auto operands = emitter.operands(instruction);
  const Selector s = selector_of(instruction, emitter.modifiers(instruction));
  Op op{.d = emitter.destination(operands[0]),
        .a = emitter.source(operands[1], register_bits(s.type)),
        .b = emitter.source(operands[2], register_bits(s.type))};
  if (operands[3].kind != OperandKind::reg || op.d == no_slot || op.a == no_slot || op.b == no_slot) {
    return emitter.refuse(instruction);
  }
  emitter.set_predicate(op, operands[3]);
  if (!emitter.emit_guarded(index, instruction, s, op)) emitter.refuse(instruction);
}

// A comparison into a temporary predicate, and a selection.
void decode_set(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  const auto operands = emitter.operands(instruction);
  Selector s = selector_of(instruction, emitter.modifiers(instruction));
  const bool pair = is_half_pair(s.source_type);
  Op op{.d = emitter.lanes(16), .e = pair ? emitter.lanes(16) : no_slot};
  op.a = emitter.source(operands[1], register_bits(s.source_type));
  op.b = emitter.source(operands[2], register_bits(s.source_type));
  if (operands.size() > 3) emitter.set_predicate(op, operands[3]);
  const uint32_t d = emitter.destination(operands[0]);
  if (d == no_slot || op.a == no_slot || op.b == no_slot) return emitter.refuse(instruction);
  const size_t guard = emitter.begin_guard(index, instruction);
  Selector compare = s;
  compare.opcode = Opcode::setp;
  if (!emit_comparison(emitter, index, compare, op)) return emitter.refuse(instruction);
  const uint32_t bits = register_bits(s.type);
  if (!pair) {
    emit_choice(emitter, index, d, bits, true_value(s.type), op.d);
  } else {
    const uint64_t one = true_value(s.type) & 0xffff;
    const uint32_t low = emitter.lanes(32), high = emitter.lanes(32);
    emit_choice(emitter, index, low, 32, one, op.d);
    emit_choice(emitter, index, high, 32, one << 16, op.e);
    Selector both;
    both.opcode = Opcode::or_;
    both.type = Modifier::b32;
    emitter.emit(index, both, {.d = d, .a = low, .b = high});
  }
  emitter.finish_guard(guard);
}

}  // namespace warplens::program
