// setp and selp: what core/gpu/exec/ops/compare.cpp does.
#include <optional>

#include "core/gpu/exec/tier/piece.h"

namespace warplens::exec::tier {

namespace {

using program::Selector;
using ptx::Modifier;
using ptx::Opcode;

x86::Mem word_at(uint32_t slot, int32_t byte = 0) {
  return x86::ptr(frame_register, static_cast<int32_t>(slot) + byte);
}

// How VCMPPS calls a comparison, quiet ones (Intel SDM).
std::optional<int> float_comparison(Modifier compare) {
  switch (compare) {
    case Modifier::eq:
      return 0x00;
    case Modifier::ne:
      return 0x0c;
    case Modifier::lt:
      return 0x11;
    case Modifier::le:
      return 0x12;
    case Modifier::gt:
      return 0x1e;
    case Modifier::ge:
      return 0x1d;
    case Modifier::num:
      return 0x07;
    case Modifier::equ:
      return 0x08;
    case Modifier::neu:
      return 0x04;
    case Modifier::ltu:
      return 0x19;
    case Modifier::leu:
      return 0x1a;
    case Modifier::gtu:
      return 0x16;
    case Modifier::geu:
      return 0x15;
    case Modifier::nan:
      return 0x03;
    default:
      return {};
  }
}

// The lanes' bits, in eax.
void compare_into(Piece& piece, const Op& op, Id code, int how, bool wide) {
  const uint32_t bytes = wide ? 8 : 4;
  const auto a = piece.lanes.use(op.a, bytes), b = piece.lanes.use(op.b, bytes);
  constexpr x86::KReg masks[] = {x86::k1, x86::k2, x86::k3, x86::k4};
  for (uint32_t i = 0; i < vectors_of(bytes); ++i)
    piece.code.emit(code, masks[i], a.lanes[i], b.lanes[i], asmjit::Imm(how));
  collect_lanes(piece.code, wide);
  piece.lanes.release();
}

Id combination(Modifier boolean) {
  return boolean == Modifier::and_ ? Inst::kIdAnd : boolean == Modifier::or_ ? Inst::kIdOr : Inst::kIdXor;
}

bool translate_setp(Piece& piece, const Op& op, const Selector& s) {
  const Modifier type = s.source_type;
  if (!can_combine(s)) return false;
  if (type == Modifier::f32) {
    const auto how = float_comparison(s.compare);
    if (s.ftz || !how) return false;
    compare_into(piece, op, Inst::kIdVcmpps, *how, false);
  } else {
    const uint32_t bits = ptx::bits_of(type);
    const auto how = integer_comparison(s.compare);
    if ((bits != 32 && bits != 64) || ptx::is_float(type) || !how) return false;
    const bool is_signed = ptx::is_signed(type), wide = bits == 64;
    compare_into(piece, op, comparison(is_signed, wide), *how, wide);
  }
  write_predicates(piece, op, s);
  return true;
}

// Lanes whose bit is set take the second source of the instruction.
bool translate_selp(Piece& piece, const Op& op, const Selector& s) {
  const uint32_t bits = ptx::bits_of(s.type);
  if (bits != 32 && bits != 64) return false;
  const uint32_t bytes = bits / 8;
  const bool negated = (op.flags & program::flag_negated) != 0;
  const auto a = piece.lanes.use(op.a, bytes), b = piece.lanes.use(op.b, bytes);
  const Lanes d = piece.lanes.make(bytes);
  const auto mask_bytes = static_cast<int32_t>(bits == 64 ? 1 : 2);
  for (uint32_t i = 0; i < vectors_of(bytes); ++i) {
    const x86::Mem bits_of_part = word_at(op.c, static_cast<int32_t>(i) * mask_bytes);
    piece.code.emit(bits == 64 ? Inst::kIdKmovb : Inst::kIdKmovw, x86::k1, bits_of_part);
    piece.code.k(x86::k1).emit(bits == 64 ? Inst::kIdVpblendmq : Inst::kIdVpblendmd, d[i],
                               negated ? a.lanes[i] : b.lanes[i], negated ? b.lanes[i] : a.lanes[i]);
  }
  piece.lanes.bind(op.d, bytes, d, piece.is_forgotten(op), piece.lanes.new_root());
  piece.lanes.release();
  return true;
}

}  // namespace

std::optional<int> integer_comparison(Modifier compare) {
  switch (compare) {
    case Modifier::eq:
      return 0;
    case Modifier::lt:
    case Modifier::lo:
      return 1;
    case Modifier::le:
    case Modifier::ls:
      return 2;
    case Modifier::ne:
      return 4;
    case Modifier::ge:
    case Modifier::hs:
      return 5;
    case Modifier::gt:
    case Modifier::hi:
      return 6;
    default:
      return {};
  }
}

Id comparison(bool is_signed, bool wide) {
  if (is_signed) return wide ? Inst::kIdVpcmpq : Inst::kIdVpcmpd;
  return wide ? Inst::kIdVpcmpuq : Inst::kIdVpcmpud;
}

bool can_combine(const Selector& s) {
  return !s.has_boolean || s.boolean == Modifier::and_ || s.boolean == Modifier::or_ ||
         s.boolean == Modifier::xor_;
}

void collect_lanes(Assembler& code, bool wide) {
  if (wide) {
    code.kunpckbw(x86::k1, x86::k2, x86::k1);
    code.kunpckbw(x86::k2, x86::k4, x86::k3);
  }
  code.kunpckwd(x86::k1, x86::k2, x86::k1);
  code.kmovd(x86::eax, x86::k1);
}

void write_predicates(Piece& piece, const Op& op, const Selector& s) {
  Assembler& code = piece.code;
  const bool has_q = op.e != no_slot, has_p = op.d != no_slot;
  if (has_q) {
    code.mov(x86::edx, x86::eax);
    code.not_(x86::edx);
  }
  if (s.has_boolean) {
    code.mov(x86::ecx, word_at(op.c));
    if (op.flags & program::flag_negated) code.not_(x86::ecx);
    code.emit(combination(s.boolean), x86::eax, x86::ecx);
    if (has_q) code.emit(combination(s.boolean), x86::edx, x86::ecx);
  }
  if (has_p) piece.write_predicate(op.d, x86::eax);
  if (has_q) piece.write_predicate(op.e, x86::edx);
}

bool translate_compare(Piece& piece, const Op& op) {
  const Selector& s = piece.selector(op);
  if (s.opcode == Opcode::setp) return translate_setp(piece, op, s);
  return s.opcode == Opcode::selp && translate_selp(piece, op, s);
}

}  // namespace warplens::exec::tier
