// cvt. A conversion is one op, or a few if 16-bit floats are involved: they are widened to f32 without loss,
// and results of that type are rounded once, from f32 or f64.
#include "core/program/decode/families.h"
#include "core/program/op/rounding.h"

namespace warplens::program {

namespace {

// Pairs, tf32 and 8-bit floats have a handler each, for registers of exactly their widths.
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

Modifier integer_of(uint32_t bits, bool is_signed) {
  switch (bits) {
    case 16:
      return is_signed ? Modifier::s16 : Modifier::u16;
    case 32:
      return is_signed ? Modifier::s32 : Modifier::u32;
    default:
      return is_signed ? Modifier::s64 : Modifier::u64;
  }
}

// Between f32, f64 and integers. Rounding modes other than to nearest even are those of the CPU.
bool convert_rounded(Emitter& emitter, uint32_t index, const Selector& s, const Op& op) {
  const bool rounded =
      s.has_rounding && ptx::is_float(s.type) && !ptx::is_float(s.source_type) && s.rounding != Modifier::rn;
  const bool narrowing =
      s.type == Modifier::f32 && s.source_type == Modifier::f64 && s.rounding != Modifier::rn;
  if (rounded || narrowing) {
    emitter.append_rounding(index, fenv_mode(s.rounding));
  }
  return emitter.emit(index, s, op);
}

bool convert_from_half(Emitter& emitter, uint32_t index, Selector s, Op op) {
  Selector wide;
  wide.opcode = Opcode::cvt;
  wide.source_type = s.source_type;
  wide.type = s.type == Modifier::f64 ? Modifier::f64 : Modifier::f32;
  const bool only_widens = s.type == wide.type && !s.sat;
  const Op widening{.d = only_widens ? op.d : emitter.lanes(ptx::bits_of(wide.type)), .a = op.a};
  if (!emitter.emit(index, wide, widening)) return false;
  if (only_widens) return true;
  s.source_type = wide.type;
  op.a = widening.d;
  if (!is_half(s.type)) return convert_rounded(emitter, index, s, op);
  if (to_integral(s)) {
    Selector integral = s;
    integral.type = Modifier::f32;
    integral.sat = false;
    const uint32_t value = emitter.lanes(32);
    if (!emitter.emit(index, integral, {.d = value, .a = op.a})) return false;
    op.a = value;
    s.rounding = Modifier::rn;
  }
  return emitter.emit(index, s, op);
}

bool convert_half(Emitter& emitter, uint32_t index, Selector s, Op op) {
  if (is_half(s.source_type)) return convert_from_half(emitter, index, s, op);
  if (s.source_type == Modifier::f32 || s.source_type == Modifier::f64) return emitter.emit(index, s, op);
  // An integer is converted to f64, which can represent all integers of up to 32 bits.
  Selector wide;
  wide.opcode = Opcode::cvt;
  wide.type = Modifier::f64;
  wide.source_type = s.source_type;
  wide.has_rounding = true;
  wide.rounding = ptx::bits_of(s.source_type) == 64 ? Modifier::rna : Modifier::rn;
  const uint32_t value = emitter.lanes(64);
  if (!emitter.emit(index, wide, {.d = value, .a = op.a})) return false;
  s.source_type = Modifier::f64;
  op.a = value;
  return emitter.emit(index, s, op);
}

}  // namespace

void decode_cvt(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  const auto operands = emitter.operands(instruction);
  const auto modifiers = emitter.modifiers(instruction);
  Selector s = selector_of(instruction, modifiers);
  if (operands.size() > 2 || !has_steps(s)) return decode_plain(emitter, index, instruction);
  const size_t first_op = emitter.next_op();
  const uint32_t natural_source = register_bits(s.source_type), natural_result = register_bits(s.type);
  const uint32_t source_width = std::max(emitter.bits_of_register(operands[1]), natural_source);
  uint32_t a = emitter.source(operands[1], source_width);
  if (a == no_slot) return emitter.refuse(instruction);
  if (source_width > natural_source) {
    const uint32_t narrow = emitter.lanes(natural_source);
    emitter.convert(index, integer_of(natural_source, false), integer_of(source_width, false), narrow, a);
    a = narrow;
  }
  const uint32_t result_width = emitter.bits_of_register(operands[0]);
  const uint32_t d = emitter.destination(operands[0]);
  const bool widen = result_width > natural_result;
  if (d == no_slot || (widen && ptx::is_float(s.type))) return emitter.refuse(instruction);
  const uint32_t target = widen ? emitter.lanes(natural_result) : d;
  const size_t guard = widen ? SIZE_MAX : emitter.begin_guard(index, instruction);
  const bool with_half = is_half(s.type) || is_half(s.source_type);
  Op op{.d = target, .a = a};
  set_half_flags(op, half_flags(modifiers));
  if (!(with_half ? convert_half(emitter, index, s, op) : convert_rounded(emitter, index, s, op)))
    return emitter.refuse(instruction);
  emitter.finish_guard(guard);
  if (widen) {
    const bool is_signed = ptx::is_signed(s.type);
    const size_t widening = emitter.begin_guard(index, instruction);
    emitter.convert(index, integer_of(result_width, is_signed), integer_of(natural_result, is_signed), d,
                    target);
    emitter.finish_guard(widening);
  }
  emitter.hoist_if_constant(first_op, instruction, operands[0], operands.subspan(1));
}

}  // namespace warplens::program
