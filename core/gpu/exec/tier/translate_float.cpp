// f32, rounded to nearest even: what core/gpu/exec/ops/floating.cpp does.
#include "core/gpu/exec/tier/piece.h"

namespace warplens::exec::tier {

using ptx::Modifier;
using ptx::Opcode;

namespace {

// A NaN becomes the one that a GPU makes.
void canonicalise(Piece& piece, Zmm value) {
  piece.code.compare(vcmpps, k1, value, value, 3);
  piece.code.vector(vpbroadcastd, value, Zmm{0}, piece.not_a_number, k1);
}

void binary_of_floats(Piece& piece, const Op& op, const VectorCode& code) {
  const auto a = piece.lanes.use(op.a, 4), b = piece.lanes.use(op.b, 4);
  const Lanes d = piece.lanes.make(4);
  for (uint32_t i = 0; i < 2; ++i) {
    piece.code.vector(code, d[i], a.lanes[i], b.lanes[i]);
    canonicalise(piece, d[i]);
  }
  finish_lanes(piece, op, 4, d);
}

void fused(Piece& piece, const Op& op) {
  const auto a = piece.lanes.use(op.a, 4), b = piece.lanes.use(op.b, 4), c = piece.lanes.use(op.c, 4);
  const Lanes d = piece.lanes.make(4);
  for (uint32_t i = 0; i < 2; ++i) {
    piece.code.move_zmm(d[i], c.lanes[i]);
    piece.code.vector(vfmadd231ps, d[i], a.lanes[i], b.lanes[i]);
  }
  for (uint32_t i = 0; i < 2; ++i) canonicalise(piece, d[i]);
  finish_lanes(piece, op, 4, d);
}

void square_root(Piece& piece, const Op& op) {
  const auto a = piece.lanes.use(op.a, 4);
  const Lanes d = piece.lanes.make(4);
  for (uint32_t i = 0; i < 2; ++i) {
    piece.code.vector(vsqrtps, d[i], a.lanes[i]);
    canonicalise(piece, d[i]);
  }
  finish_lanes(piece, op, 4, d);
}

// neg and abs: the sign bit is turned around, or taken away.
void change_sign(Piece& piece, const Op& op, bool negates) {
  const auto a = piece.lanes.use(op.a, 4);
  const Lanes d = piece.lanes.make(4);
  piece.code.vector(vpternlogd, scratch0, scratch0, scratch0, no_mask, false, 0xff);
  if (negates) {
    piece.code.shift(vpslld_by, scratch0, scratch0, 31);
  } else {
    piece.code.shift(vpsrld_by, scratch0, scratch0, 1);
  }
  for (uint32_t i = 0; i < 2; ++i) {
    piece.code.vector(negates ? vpxord : vpandd, d[i], a.lanes[i], scratch0);
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
      binary_of_floats(piece, op, vaddps);
      return true;
    case Opcode::sub:
      binary_of_floats(piece, op, vsubps);
      return true;
    case Opcode::mul:
      binary_of_floats(piece, op, vmulps);
      return true;
    case Opcode::div:
      binary_of_floats(piece, op, vdivps);
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
