// cvt: what core/gpu/exec/ops/convert.cpp does.
#include <optional>

#include "core/gpu/exec/tier/piece.h"

namespace warplens::exec::tier {

namespace {

using program::Selector;
using ptx::Modifier;

// Half of what one vector holds, moved to where the wider lanes begin.
x86::Ymm upper_half(Piece& piece, x86::Zmm of) {
  piece.code.vextracti64x4(scratch0.ymm(), of, 1);
  return scratch0.ymm();
}

void widen(Piece& piece, const LaneRegisters::Held& a, const Lanes& d, uint32_t result_bytes, Id code) {
  for (uint32_t i = 0; i < vectors_of(result_bytes); ++i)
    piece.code.emit(code, d[i], i % 2 == 0 ? a.lanes[i / 2].ymm() : upper_half(piece, a.lanes[i / 2]));
}

void narrow(Piece& piece, const LaneRegisters::Held& a, const Lanes& d, uint32_t source_bytes, Id code) {
  for (uint32_t i = 0; i < vectors_of(source_bytes); i += 2) {
    piece.code.emit(code, d[i / 2].ymm(), a.lanes[i]);
    piece.code.emit(code, scratch0.ymm(), a.lanes[i + 1]);
    piece.code.vinserti64x4(d[i / 2], d[i / 2], scratch0.ymm(), 1);
  }
}

bool between_integers(Piece& piece, const Op& op, const Selector& s) {
  const uint32_t to = ptx::bits_of(s.type), from = ptx::bits_of(s.source_type);
  const bool is_signed = ptx::is_signed(s.source_type);
  const bool known = (to == from && to >= 16) || (to == 64 && from == 32) || (to == 32 && from == 64) ||
                     (to == 32 && from == 16) || (to == 16 && from == 32);
  if (s.sat || !known || to > 64) return false;
  const auto a = piece.lanes.use(op.a, from / 8);
  const Lanes d = piece.lanes.make(to / 8);
  if (to == from) {
    for (uint32_t i = 0; i < vectors_of(to / 8); ++i) piece.code.vmovdqa32(d[i], a.lanes[i]);
  } else if (to == 64) {
    widen(piece, a, d, 8, is_signed ? Inst::kIdVpmovsxdq : Inst::kIdVpmovzxdq);
  } else if (from == 16) {
    widen(piece, a, d, 4, is_signed ? Inst::kIdVpmovsxwd : Inst::kIdVpmovzxwd);
  } else {
    narrow(piece, a, d, from / 8, from == 64 ? Inst::kIdVpmovqd : Inst::kIdVpmovdw);
  }
  finish_lanes(piece, op, to / 8, d, to == from ? std::optional(a.root) : std::nullopt);
  return true;
}

bool to_float(Piece& piece, const Op& op, const Selector& s) {
  const uint32_t from = ptx::bits_of(s.source_type);
  const bool is_signed = ptx::is_signed(s.source_type);
  if (s.sat || (from != 16 && from != 32)) return false;
  const auto a = piece.lanes.use(op.a, from / 8);
  const Lanes d = piece.lanes.make(4);
  if (from == 16) widen(piece, a, d, 4, is_signed ? Inst::kIdVpmovsxwd : Inst::kIdVpmovzxwd);
  for (uint32_t i = 0; i < 2; ++i)
    piece.code.emit(is_signed ? Inst::kIdVcvtdq2ps : Inst::kIdVcvtudq2ps, d[i],
                    from == 16 ? d[i] : a.lanes[i]);
  finish_lanes(piece, op, 4, d);
  return true;
}

// How VRNDSCALEPS is told to round to an integral value, without exceptions (Intel SDM).
std::optional<int> integral_rounding(const Selector& s) {
  if (!s.has_rounding) return {};
  switch (s.rounding) {
    case Modifier::rni:
      return 8;
    case Modifier::rmi:
      return 9;
    case Modifier::rpi:
      return 10;
    case Modifier::rzi:
      return 11;
    default:
      return {};
  }
}

// To an integral value of the same type.
bool to_integral(Piece& piece, const Op& op, const Selector& s) {
  const auto rounding = integral_rounding(s);
  if (s.ftz || s.sat || !rounding) return false;
  const auto a = piece.lanes.use(op.a, 4);
  const Lanes d = piece.lanes.make(4);
  for (uint32_t i = 0; i < 2; ++i) {
    piece.code.vrndscaleps(d[i], a.lanes[i], *rounding);
    canonicalise(piece, d[i]);
  }
  finish_lanes(piece, op, 4, d);
  return true;
}

// What is too large or too small becomes the nearest value, NaN becomes 0. VMAXPS gives its second source
// where one is NaN, and VCVTTPS2UDQ all ones where the value is too large. VCVTTPS2DQ gives the smallest
// integer for all that it cannot, which is right for what is too small.
bool to_integer(Piece& piece, const Op& op, const Selector& s) {
  const auto rounding = integral_rounding(s);
  if (s.ftz || s.sat || !rounding || ptx::bits_of(s.type) != 32) return false;
  const auto a = piece.lanes.use(op.a, 4);
  const Lanes d = piece.lanes.make(4);
  if (!ptx::is_signed(s.type)) {
    piece.code.vpxord(scratch0, scratch0, scratch0);
  } else {
    piece.code.mov(x86::eax, 0x4f000000);  // 2^31
    piece.code.vpbroadcastd(scratch0, x86::eax);
    piece.code.vpternlogd(scratch1, scratch1, scratch1, 0xff);
    piece.code.vpsrld(scratch1, scratch1, 1);
  }
  for (uint32_t i = 0; i < 2; ++i) {
    piece.code.vrndscaleps(d[i], a.lanes[i], *rounding);
    if (ptx::is_signed(s.type)) {
      piece.code.vcmpps(x86::k1, d[i], scratch0, 0x1d);  // at least 2^31
      piece.code.vcmpps(x86::k2, d[i], d[i], 0x07);      // no NaN
      piece.code.k(x86::k2).z().vcvttps2dq(d[i], d[i]);
      piece.code.k(x86::k1).vmovdqa32(d[i], scratch1);
    } else {
      piece.code.vmaxps(d[i], d[i], scratch0);
      piece.code.vcvttps2udq(d[i], d[i]);
    }
  }
  finish_lanes(piece, op, 4, d);
  return true;
}

}  // namespace

bool translate_convert(Piece& piece, const Op& op) {
  const Selector& s = piece.selector(op);
  const bool from_float = ptx::is_float(s.source_type), to_a_float = ptx::is_float(s.type);
  if (!from_float && !to_a_float) return between_integers(piece, op, s);
  if (!from_float) return s.type == Modifier::f32 && to_float(piece, op, s);
  if (s.source_type != Modifier::f32) return false;
  if (to_a_float) return s.type == Modifier::f32 && to_integral(piece, op, s);
  return to_integer(piece, op, s);
}

}  // namespace warplens::exec::tier
