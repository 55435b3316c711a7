// f32, rounded to nearest even: what core/gpu/exec/ops/floating.cpp does.
#include "core/gpu/exec/tier/piece.h"

namespace warplens::exec::tier {

using ptx::Modifier;
using ptx::Opcode;

void canonicalise(Piece& piece, x86::Zmm value) {
  piece.code.vcmpps(x86::k1, value, value, 3);
  piece.code.k(x86::k1).vpbroadcastd(value, x86::dword_ptr(piece.not_a_number));
}

namespace {

void binary_of_floats(Piece& piece, const Op& op, Id code) {
  const auto a = piece.lanes.use(op.a, 4), b = piece.lanes.use(op.b, 4);
  const Lanes d = piece.lanes.make(4);
  for (uint32_t i = 0; i < 2; ++i) {
    piece.code.emit(code, d[i], a.lanes[i], b.lanes[i]);
    canonicalise(piece, d[i]);
  }
  finish_lanes(piece, op, 4, d);
}

void fused(Piece& piece, const Op& op) {
  const auto a = piece.lanes.use(op.a, 4), b = piece.lanes.use(op.b, 4), c = piece.lanes.use(op.c, 4);
  const Lanes d = piece.lanes.make(4);
  for (uint32_t i = 0; i < 2; ++i) {
    piece.code.vmovdqa32(d[i], c.lanes[i]);
    piece.code.vfmadd231ps(d[i], a.lanes[i], b.lanes[i]);
  }
  for (uint32_t i = 0; i < 2; ++i) canonicalise(piece, d[i]);
  finish_lanes(piece, op, 4, d);
}

void square_root(Piece& piece, const Op& op) {
  const auto a = piece.lanes.use(op.a, 4);
  const Lanes d = piece.lanes.make(4);
  for (uint32_t i = 0; i < 2; ++i) {
    piece.code.vsqrtps(d[i], a.lanes[i]);
    canonicalise(piece, d[i]);
  }
  finish_lanes(piece, op, 4, d);
}

// neg and abs: the sign bit is turned around, or taken away.
void change_sign(Piece& piece, const Op& op, bool negates) {
  const auto a = piece.lanes.use(op.a, 4);
  const Lanes d = piece.lanes.make(4);
  piece.code.vpternlogd(scratch0, scratch0, scratch0, 0xff);
  if (negates) {
    piece.code.vpslld(scratch0, scratch0, 31);
  } else {
    piece.code.vpsrld(scratch0, scratch0, 1);
  }
  for (uint32_t i = 0; i < 2; ++i) {
    piece.code.emit(negates ? Inst::kIdVpxord : Inst::kIdVpandd, d[i], a.lanes[i], scratch0);
    canonicalise(piece, d[i]);
  }
  finish_lanes(piece, op, 4, d);
}

}  // namespace

bool translate_float(Piece& piece, const Op& op) {
  const program::Selector& s = piece.selector(op);
  if (s.type != Modifier::f32 || s.ftz || s.sat || s.approx || s.full || s.relu || s.nan || s.xorsign)
    return false;
  switch (s.opcode) {
    case Opcode::add:
      binary_of_floats(piece, op, Inst::kIdVaddps);
      return true;
    case Opcode::sub:
      binary_of_floats(piece, op, Inst::kIdVsubps);
      return true;
    case Opcode::mul:
      binary_of_floats(piece, op, Inst::kIdVmulps);
      return true;
    case Opcode::div:
      binary_of_floats(piece, op, Inst::kIdVdivps);
      return true;
    case Opcode::fma:
    case Opcode::mad:
      fused(piece, op);
      return true;
    case Opcode::sqrt:
      square_root(piece, op);
      return true;
    case Opcode::neg:
    case Opcode::abs:
      change_sign(piece, op, s.opcode == Opcode::neg);
      return true;
    default:
      return false;
  }
}

}  // namespace warplens::exec::tier
