// Scalar instructions that become several ops: comparisons of 16-bit floats, set with a boolean operator,
// lop3 with a predicate; vector moves.
#include "core/program/decode/decoder.h"

namespace warplens::program {

namespace {

bool is_half_pair(Modifier type) { return type == Modifier::f16x2 || type == Modifier::bf16x2; }

// What set writes where the comparison is true, PTX ISA 9.7.6.1 and 9.7.7.1.
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

}  // namespace

// A slot with the f32 of a 16-bit float, flushed where .ftz says so.
uint32_t Decoder::widened(uint32_t index, uint32_t half, const Selector& s) {
  const uint32_t wide = m_frame.lanes(32);
  Selector widen;
  widen.opcode = Opcode::cvt;
  widen.type = Modifier::f32;
  widen.source_type = s.source_type == Modifier::f16x2    ? Modifier::f16
                      : s.source_type == Modifier::bf16x2 ? Modifier::bf16
                                                          : s.source_type;
  emit(index, widen, {.d = wide, .a = half, .extra = s.ftz ? half_ftz : uint8_t{0}});
  return wide;
}

// s.source_type is what is compared. Of a pair, d takes the lower halves' result and e the upper ones'.
bool Decoder::emit_comparison(uint32_t index, const Selector& s, const Op& op) {
  if (!is_half(s.source_type) && !is_half_pair(s.source_type)) return emit(index, s, op);
  Selector wide = s;
  wide.type = wide.source_type = Modifier::f32;
  wide.ftz = false;
  if (is_half(s.source_type)) {
    Op one = op;
    one.a = widened(index, op.a, s);
    one.b = widened(index, op.b, s);
    return emit(index, wide, one);
  }
  uint32_t halves[4] = {};
  for (uint32_t& half : halves) half = m_frame.lanes(16);
  Selector unpack;
  unpack.opcode = Opcode::mov;
  unpack.type = Modifier::b32;
  unpack.vector = 2;
  emit(index, unpack, {.d = halves[0], .a = op.a, .b = halves[1]});
  emit(index, unpack, {.d = halves[2], .a = op.b, .b = halves[3]});
  for (uint32_t i = 0; i < 2; ++i) {
    Op one = op;
    one.d = i == 0 ? op.d : op.e;
    one.e = no_slot;
    one.a = widened(index, halves[i], s);
    one.b = widened(index, halves[2 + i], s);
    if (one.d != no_slot && !emit(index, wide, one)) return false;
  }
  return true;
}

// d = predicate ? chosen : 0
bool Decoder::emit_choice(uint32_t index, uint32_t d, uint32_t bits, uint64_t chosen, uint32_t predicate) {
  Selector s;
  s.opcode = Opcode::selp;
  s.type = bits == 16 ? Modifier::b16 : Modifier::b32;
  return emit(index, s,
              {.d = d,
               .a = m_frame.constant(m_program, truncated(chosen, bits), bits),
               .b = m_frame.constant(m_program, 0, bits),
               .c = predicate});
}

// A comparison into a predicate of its own, and a choice.
void Decoder::decode_set(uint32_t index, const Instruction& instruction) {
  const auto operands = m_function.operands_of(instruction);
  Selector s = selector_of(instruction, m_function.modifiers_of(instruction));
  const bool pair = is_half_pair(s.source_type);
  Op op{.d = m_frame.lanes(16), .e = pair ? m_frame.lanes(16) : no_slot};
  op.a = source(operands[1], register_bits(s.source_type));
  op.b = source(operands[2], register_bits(s.source_type));
  if (operands.size() > 3) {
    op.c = predicate_source(operands[3]);
    if (operands[3].negated) op.flags |= flag_negated;
  }
  const uint32_t d = destination(operands[0]);
  if (d == no_slot || op.a == no_slot || op.b == no_slot) return refuse(instruction);
  const size_t guard = begin_guard(index, instruction);
  Selector compare = s;
  compare.opcode = Opcode::setp;
  if (!emit_comparison(index, compare, op)) return refuse(instruction);
  const uint32_t bits = register_bits(s.type);
  if (!pair) {
    emit_choice(index, d, bits, true_value(s.type), op.d);
  } else {
    const uint64_t one = true_value(s.type) & 0xffff;
    const uint32_t low = m_frame.lanes(32), high = m_frame.lanes(32);
    emit_choice(index, low, 32, one, op.d);
    emit_choice(index, high, 32, one << 16, op.e);
    Selector both;
    both.opcode = Opcode::or_;
    both.type = Modifier::b32;
    emit(index, both, {.d = d, .a = low, .b = high});
  }
  finish_guard(guard);
}

// The parts of a vector in braces, of a vector register, or of a special register such as %tid.
std::vector<Operand> Decoder::elements_of(const Operand& operand, uint32_t count) const {
  if (operand.kind == OperandKind::vector) {
    const auto children = m_function.children_of(operand);
    return {children.begin(), children.end()};
  }
  std::vector<Operand> elements(count, operand);
  for (uint8_t i = 0; i < count; ++i) elements[i].component = i;
  return elements;
}

// mov.v4: all parts are read before the first is written.
void Decoder::decode_mov_vector(uint32_t index, const Instruction& instruction) {
  const auto operands = m_function.operands_of(instruction);
  const Selector s = selector_of(instruction, m_function.modifiers_of(instruction));
  const uint32_t bits = register_bits(s.type);
  const auto results = elements_of(operands[0], s.vector), sources = elements_of(operands[1], s.vector);
  Selector copy;
  copy.opcode = Opcode::mov;
  copy.type = bits == 16 ? Modifier::b16 : bits == 32 ? Modifier::b32 : Modifier::b64;
  const uint32_t read = adjacent_slots(s.vector, bits);
  const size_t guard = begin_guard(index, instruction);
  for (uint32_t i = 0; i < s.vector; ++i) {
    const uint32_t a = source(sources[i], bits);
    if (a == no_slot || !emit(index, copy, {.d = read + i * Frame::exec_bytes(bits), .a = a}))
      return refuse(instruction);
  }
  for (uint32_t i = 0; i < s.vector; ++i) {
    if (results[i].kind == OperandKind::sink) continue;
    const uint32_t d = destination(results[i]);
    if (d == no_slot || !emit(index, copy, {.d = d, .a = read + i * Frame::exec_bytes(bits)}))
      return refuse(instruction);
  }
  finish_guard(guard);
}

// lop3.or d|p, a, b, c, table, q: p = (d != 0) or q.
void Decoder::decode_lop3(uint32_t index, const Instruction& instruction) {
  const auto operands = m_function.operands_of(instruction);
  Selector s = selector_of(instruction, m_function.modifiers_of(instruction));
  if (!s.has_boolean) return decode_plain(index, instruction);
  const bool pair = operands[0].kind == OperandKind::pair;
  const auto results = m_function.children_of(operands[0]);
  const uint32_t written = destination(pair ? results[0] : operands[0]);
  const Op value{.d = written == no_slot ? m_frame.lanes(32) : written,
                 .a = source(operands[1], 32),
                 .b = source(operands[2], 32),
                 .c = source(operands[3], 32),
                 .e = source(operands[4], 32)};
  for (const uint32_t slot : {value.a, value.b, value.c, value.e}) {
    if (slot == no_slot) return refuse(instruction);
  }
  Op predicate{
      .d = pair ? destination(results[1]) : no_slot, .a = value.d, .c = predicate_source(operands[5])};
  if (operands[5].negated) predicate.flags |= flag_negated;
  const size_t guard = begin_guard(index, instruction);
  Selector plain = s;
  plain.has_boolean = false;
  if (!emit(index, plain, value) || !emit(index, s, predicate)) return refuse(instruction);
  finish_guard(guard);
}

// A policy is a value that only memory instructions look at, and there it has no effect.
void Decoder::decode_createpolicy(uint32_t index, const Instruction& instruction) {
  const uint32_t d = destination(m_function.operands_of(instruction)[0]);
  if (d == no_slot) return refuse(instruction);
  Selector s;
  s.opcode = Opcode::mov;
  s.type = Modifier::b64;
  const size_t guard = begin_guard(index, instruction);
  if (!emit(index, s, {.d = d, .a = m_frame.constant(m_program, 0, 64)})) return refuse(instruction);
  finish_guard(guard);
}

}  // namespace warplens::program
