// cvt. A conversion is one op, or a few where 16-bit floats take part: they widen to f32 without loss, and
// what becomes one of them is rounded once, from f32 or f64.
#include "core/program/decode/decoder.h"
#include "core/program/op/rounding.h"

namespace warplens::program {

namespace {

// Pairs, tf32 and 8-bit floats have a handler each, for registers of just their widths.
bool has_steps(const Selector& s) {
  for (const Modifier type : {s.type, s.source_type}) {
    switch (type) {
      case Modifier::f16x2:
      case Modifier::bf16x2:
      case Modifier::tf32:
      case Modifier::e4m3x2:
      case Modifier::e5m2x2:
        return false;
      default:
        break;
    }
  }
  return true;
}

bool to_integral(const Selector& s) {
  return s.rounding == Modifier::rni || s.rounding == Modifier::rzi || s.rounding == Modifier::rmi ||
         s.rounding == Modifier::rpi;
}

}  // namespace

// A conversion between the natural registers of two types.
bool Decoder::convert(uint32_t index, Modifier to, Modifier from, uint32_t d, uint32_t a) {
  Selector s;
  s.opcode = Opcode::cvt;
  s.type = to;
  s.source_type = from;
  return emit(index, s, {.d = d, .a = a});
}

Modifier Decoder::integer_of(uint32_t bits, bool is_signed) {
  switch (bits) {
    case 16:
      return is_signed ? Modifier::s16 : Modifier::u16;
    case 32:
      return is_signed ? Modifier::s32 : Modifier::u32;
    default:
      return is_signed ? Modifier::s64 : Modifier::u64;
  }
}

void Decoder::decode_cvt(uint32_t index, const Instruction& instruction) {
  const auto operands = m_function.operands_of(instruction);
  const auto modifiers = m_function.modifiers_of(instruction);
  Selector s = selector_of(instruction, modifiers);
  if (operands.size() > 2 || !has_steps(s)) return decode_plain(index, instruction);
  const size_t first_op = m_program.ops.size();
  const uint32_t natural_source = register_bits(s.source_type), natural_result = register_bits(s.type);
  const uint32_t source_width = std::max(bits_of_register(operands[1]), natural_source);
  uint32_t a = source(operands[1], source_width);
  if (a == no_slot) return refuse(instruction);
  if (source_width > natural_source) {
    const uint32_t narrow = m_frame.lanes(natural_source);
    convert(index, integer_of(natural_source, false), integer_of(source_width, false), narrow, a);
    a = narrow;
  }
  const uint32_t result_width = bits_of_register(operands[0]);
  const uint32_t d = destination(operands[0]);
  const bool widen = result_width > natural_result;
  if (d == no_slot || (widen && ptx::is_float(s.type))) return refuse(instruction);
  const uint32_t target = widen ? m_frame.lanes(natural_result) : d;
  const size_t guard = widen ? SIZE_MAX : begin_guard(index, instruction);
  const bool with_half = is_half(s.type) || is_half(s.source_type);
  const Op op{.d = target, .a = a, .extra = half_flags(modifiers)};
  if (!(with_half ? convert_half(index, s, op) : convert_rounded(index, s, op))) return refuse(instruction);
  finish_guard(guard);
  if (widen) {
    const bool is_signed = ptx::is_signed(s.type);
    const size_t widening = begin_guard(index, instruction);
    convert(index, integer_of(result_width, is_signed), integer_of(natural_result, is_signed), d, target);
    finish_guard(widening);
  }
  hoist_if_constant(first_op, instruction, operands[0], operands.subspan(1));
}

// Between f32, f64 and integers. Other roundings than to nearest even are the CPU's.
bool Decoder::convert_rounded(uint32_t index, const Selector& s, const Op& op) {
  const bool rounded =
      s.has_rounding && ptx::is_float(s.type) && !ptx::is_float(s.source_type) && s.rounding != Modifier::rn;
  const bool narrowing =
      s.type == Modifier::f32 && s.source_type == Modifier::f64 && s.rounding != Modifier::rn;
  if (rounded || narrowing) {
    append(index, {.handlers = m_table.both(Routine::rounded), .immediate = fenv_mode(s.rounding)});
  }
  return emit(index, s, op);
}

bool Decoder::convert_half(uint32_t index, Selector s, Op op) {
  if (is_half(s.source_type)) return convert_from_half(index, s, op);
  if (s.source_type == Modifier::f32 || s.source_type == Modifier::f64) return emit(index, s, op);
  // An integer: as f64, which holds all of up to 32 bits.
  Selector wide;
  wide.opcode = Opcode::cvt;
  wide.type = Modifier::f64;
  wide.source_type = s.source_type;
  wide.has_rounding = true;
  wide.rounding = ptx::bits_of(s.source_type) == 64 ? Modifier::rna : Modifier::rn;
  const uint32_t value = m_frame.lanes(64);
  if (!emit(index, wide, {.d = value, .a = op.a})) return false;
  s.source_type = Modifier::f64;
  op.a = value;
  return emit(index, s, op);
}

bool Decoder::convert_from_half(uint32_t index, Selector s, Op op) {
  Selector wide;
  wide.opcode = Opcode::cvt;
  wide.source_type = s.source_type;
  wide.type = s.type == Modifier::f64 ? Modifier::f64 : Modifier::f32;
  const bool only_widens = s.type == wide.type && !s.sat;
  const Op widening{.d = only_widens ? op.d : m_frame.lanes(ptx::bits_of(wide.type)), .a = op.a};
  if (!emit(index, wide, widening)) return false;
  if (only_widens) return true;
  s.source_type = wide.type;
  op.a = widening.d;
  if (!is_half(s.type)) return convert_rounded(index, s, op);
  if (to_integral(s)) {
    Selector integral = s;
    integral.type = Modifier::f32;
    integral.sat = false;
    const uint32_t value = m_frame.lanes(32);
    if (!emit(index, integral, {.d = value, .a = op.a})) return false;
    op.a = value;
    s.rounding = Modifier::rn;
  }
  return emit(index, s, op);
}

}  // namespace warplens::program
