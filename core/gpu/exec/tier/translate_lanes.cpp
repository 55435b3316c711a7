// Arithmetic of integers and logic, lane by lane: what the functors of core/gpu/exec/ops do, in vector
// instructions with the same results, bit by bit.
#include <algorithm>
#include <bit>
#include <optional>

#include "core/gpu/exec/tier/piece.h"

namespace warplens::exec::tier {

namespace {

using program::Selector;
using ptx::Modifier;
using ptx::Opcode;

// Two sources of one width and a result of it.
struct Plain {
  Id narrow, wide;
};

bool is_64(Modifier type) { return ptx::bits_of(type) == 64; }
bool is_32_or_64(Modifier type) { return ptx::bits_of(type) == 32 || is_64(type); }

// The same number is added to all lanes, or taken away: they lie to each other as before.
std::optional<uint32_t> moved_root(Piece& piece, const Op& op, const LaneRegisters::Held& a,
                                   const LaneRegisters::Held& b, bool is_sum) {
  if (piece.uniform.contains(op.b)) return a.root;
  if (is_sum && piece.uniform.contains(op.a)) return b.root;
  return {};
}

void binary(Piece& piece, const Op& op, Id code, uint32_t bytes) {
  const auto a = piece.lanes.use(op.a, bytes), b = piece.lanes.use(op.b, bytes);
  const Lanes d = piece.lanes.make(bytes);
  for (uint32_t i = 0; i < vectors_of(bytes); ++i) piece.code.emit(code, d[i], a.lanes[i], b.lanes[i]);
  const bool is_sum = code == Inst::kIdVpaddd || code == Inst::kIdVpaddq;
  const bool is_difference = code == Inst::kIdVpsubd || code == Inst::kIdVpsubq;
  const bool moves = is_sum || is_difference;
  finish_lanes(piece, op, bytes, d, moves ? moved_root(piece, op, a, b, is_sum) : std::nullopt);
}

void move(Piece& piece, const Op& op, uint32_t bytes) {
  const auto a = piece.lanes.use(op.a, bytes);
  const Lanes d = piece.lanes.make(bytes);
  for (uint32_t i = 0; i < vectors_of(bytes); ++i) piece.code.vmovdqa32(d[i], a.lanes[i]);
  finish_lanes(piece, op, bytes, d, a.root);
}

void multiply_and_add(Piece& piece, const Op& op, uint32_t bytes) {
  const auto a = piece.lanes.use(op.a, bytes), b = piece.lanes.use(op.b, bytes),
             c = piece.lanes.use(op.c, bytes);
  const Lanes d = piece.lanes.make(bytes);
  for (uint32_t i = 0; i < vectors_of(bytes); ++i) {
    piece.code.emit(bytes == 8 ? Inst::kIdVpmullq : Inst::kIdVpmulld, d[i], a.lanes[i], b.lanes[i]);
    piece.code.emit(bytes == 8 ? Inst::kIdVpaddq : Inst::kIdVpaddd, d[i], d[i], c.lanes[i]);
  }
  finish_lanes(piece, op, bytes, d);
}

// 32 bits to 64. Quarter i of the lanes, each in the low half of its 64 bits.
void spread(Piece& piece, x86::Zmm to, const LaneRegisters::Held& from, uint32_t quarter, bool is_signed) {
  x86::Zmm source = from.lanes[quarter / 2];
  if (quarter % 2 != 0) {
    piece.code.vextracti64x4(to.ymm(), source, 1);
    source = to;
  }
  piece.code.emit(is_signed ? Inst::kIdVpmovsxdq : Inst::kIdVpmovzxdq, to, source.ymm());
}

// By a number that is the same in all lanes: it is in the low half of each 64 bits already.
x86::Zmm spread_factor(Piece& piece, x86::Zmm to, uint32_t slot, const LaneRegisters::Held& from,
                       uint32_t quarter, bool is_signed) {
  if (piece.uniform.contains(slot)) return from.lanes[0];
  spread(piece, to, from, quarter, is_signed);
  return to;
}

// The number of bits by which a product with it is shifted.
std::optional<uint8_t> power_of_two(const Piece& piece, uint32_t slot, bool is_signed) {
  const auto known = piece.known.find(slot);
  if (known == piece.known.end()) return {};
  const auto number = static_cast<uint32_t>(known->second);
  if (!std::has_single_bit(number) || (is_signed && number > INT32_MAX)) return {};
  return static_cast<uint8_t>(std::countr_zero(number));
}

void multiply_wide(Piece& piece, const Op& op, bool is_signed, bool adds) {
  const auto a = piece.lanes.use(op.a, 4), b = piece.lanes.use(op.b, 4);
  std::optional<LaneRegisters::Held> c;
  if (adds) c = piece.lanes.use(op.c, 8);
  const Lanes d = piece.lanes.make(8);
  const auto bits = power_of_two(piece, op.b, is_signed);
  for (uint32_t i = 0; i < 4; ++i) {
    if (bits) {
      spread(piece, d[i], a, i, is_signed);
      piece.code.vpsllq(d[i], d[i], *bits);
    } else {
      const x86::Zmm x = spread_factor(piece, scratch0, op.a, a, i, is_signed);
      const x86::Zmm y = spread_factor(piece, scratch1, op.b, b, i, is_signed);
      piece.code.emit(is_signed ? Inst::kIdVpmuldq : Inst::kIdVpmuludq, d[i], x, y);
    }
    if (adds) piece.code.vpaddq(d[i], d[i], c->lanes[i]);
  }
  finish_lanes(piece, op, 8, d);
}

// The odd lanes where the even ones are. A source that is the same in all lanes is there already.
x86::Zmm odd_lanes(Piece& piece, uint32_t slot, x86::Zmm lanes, x86::Zmm to) {
  if (piece.uniform.contains(slot)) return lanes;
  piece.code.vpsrlq(to, lanes, 32);
  return to;
}

// The products of the odd lanes have their upper halves where these belong. Those of the even lanes are moved
// up beside them.
void multiply_high(Piece& piece, const Op& op, bool is_signed) {
  const auto a = piece.lanes.use(op.a, 4), b = piece.lanes.use(op.b, 4);
  const Lanes d = piece.lanes.make(4);
  Id product = is_signed ? Inst::kIdVpmuldq : Inst::kIdVpmuludq;
  piece.code.mov(x86::eax, 0x5555);
  piece.code.kmovd(x86::k1, x86::eax);
  for (uint32_t i = 0; i < 2; ++i) {
    piece.code.emit(product, d[i], odd_lanes(piece, op.a, a.lanes[i], scratch0),
                    odd_lanes(piece, op.b, b.lanes[i], scratch1));
    piece.code.emit(product, scratch0, a.lanes[i], b.lanes[i]);
    piece.code.k(x86::k1).vmovshdup(d[i], scratch0);
  }
  finish_lanes(piece, op, 4, d);
}

void negate(Piece& piece, const Op& op, uint32_t bytes) {
  const auto a = piece.lanes.use(op.a, bytes);
  const Lanes d = piece.lanes.make(bytes);
  piece.code.vpxord(scratch0, scratch0, scratch0);
  for (uint32_t i = 0; i < vectors_of(bytes); ++i)
    piece.code.emit(bytes == 8 ? Inst::kIdVpsubq : Inst::kIdVpsubd, d[i], scratch0, a.lanes[i]);
  finish_lanes(piece, op, bytes, d);
}

bool translate_integer(Piece& piece, const Op& op, const Selector& s) {
  if (s.sat || s.relu || s.carry_in || s.carry_out) return false;
  const bool is_signed = ptx::is_signed(s.type);
  if (s.wide) {
    if (ptx::bits_of(s.type) != 32 || (s.opcode != Opcode::mul && s.opcode != Opcode::mad)) return false;
    multiply_wide(piece, op, is_signed, s.opcode == Opcode::mad);
    return true;
  }
  if (!is_32_or_64(s.type)) return false;
  const bool wide = is_64(s.type);
  const uint32_t bytes = wide ? 8 : 4;
  if (s.hi) {
    if (s.opcode != Opcode::mul || wide) return false;
    multiply_high(piece, op, is_signed);
    return true;
  }
  const auto plain = [&](const Plain& codes) {
    binary(piece, op, wide ? codes.wide : codes.narrow, bytes);
    return true;
  };
  switch (s.opcode) {
    case Opcode::add:
      return plain({Inst::kIdVpaddd, Inst::kIdVpaddq});
    case Opcode::sub:
      return plain({Inst::kIdVpsubd, Inst::kIdVpsubq});
    case Opcode::mul:
      return plain({Inst::kIdVpmulld, Inst::kIdVpmullq});
    case Opcode::min:
      return is_signed ? plain({Inst::kIdVpminsd, Inst::kIdVpminsq})
                       : plain({Inst::kIdVpminud, Inst::kIdVpminuq});
    case Opcode::max:
      return is_signed ? plain({Inst::kIdVpmaxsd, Inst::kIdVpmaxsq})
                       : plain({Inst::kIdVpmaxud, Inst::kIdVpmaxuq});
    case Opcode::mad:
      multiply_and_add(piece, op, bytes);
      return true;
    case Opcode::neg:
      if (!is_signed) return false;
      negate(piece, op, bytes);
      return true;
    default:
      return false;
  }
}

// Predicates are words of the frame.
x86::Mem predicate_at(uint32_t slot) { return x86::ptr(frame_register, static_cast<int32_t>(slot)); }

bool translate_predicates(Piece& piece, const Op& op, const Selector& s) {
  Assembler& code = piece.code;
  switch (s.opcode) {
    case Opcode::and_:
    case Opcode::or_:
    case Opcode::xor_:
      code.mov(x86::eax, predicate_at(op.a));
      code.emit(s.opcode == Opcode::and_  ? Inst::kIdAnd
                : s.opcode == Opcode::or_ ? Inst::kIdOr
                                          : Inst::kIdXor,
                x86::eax, predicate_at(op.b));
      break;
    case Opcode::not_:
    case Opcode::mov:
      code.mov(x86::eax, predicate_at(op.a));
      if (s.opcode == Opcode::not_) code.not_(x86::eax);
      break;
    default:
      return false;
  }
  piece.write_predicate(op.d, x86::eax);
  return true;
}

// The amount has 32 bits a lane, also where the value has 64.
void shift(Piece& piece, const Op& op, const Selector& s) {
  const bool wide = is_64(s.type), left = s.opcode == Opcode::shl;
  const bool is_signed = !left && ptx::is_signed(s.type);
  const uint32_t bytes = wide ? 8 : 4;
  const auto a = piece.lanes.use(op.a, bytes);
  if (const auto known = piece.known.find(op.b); known != piece.known.end()) {
    const Lanes d = piece.lanes.make(bytes);
    Id code = left        ? wide ? Inst::kIdVpsllq : Inst::kIdVpslld
              : is_signed ? wide ? Inst::kIdVpsraq : Inst::kIdVpsrad
              : wide      ? Inst::kIdVpsrlq
                          : Inst::kIdVpsrld;
    const auto by = static_cast<uint8_t>(std::min<uint64_t>(known->second & 0xffffffff, 255));
    for (uint32_t i = 0; i < vectors_of(bytes); ++i) piece.code.emit(code, d[i], a.lanes[i], asmjit::Imm(by));
    return finish_lanes(piece, op, bytes, d);
  }
  const auto n = piece.lanes.use(op.b, 4);
  const Lanes d = piece.lanes.make(bytes);
  Id code = left        ? wide ? Inst::kIdVpsllvq : Inst::kIdVpsllvd
            : is_signed ? wide ? Inst::kIdVpsravq : Inst::kIdVpsravd
            : wide      ? Inst::kIdVpsrlvq
                        : Inst::kIdVpsrlvd;
  for (uint32_t i = 0; i < vectors_of(bytes); ++i) {
    if (wide) spread(piece, scratch0, n, i, false);
    piece.code.emit(code, d[i], a.lanes[i], wide ? scratch0 : n.lanes[i]);
  }
  finish_lanes(piece, op, bytes, d);
}

// Of three sources, by a table. `table` is what each combination of bits gives.
void by_table(Piece& piece, const Op& op, int table) {
  const auto a = piece.lanes.use(op.a, 4), b = piece.lanes.use(op.b, 4), c = piece.lanes.use(op.c, 4);
  const Lanes d = piece.lanes.make(4);
  for (uint32_t i = 0; i < 2; ++i) {
    piece.code.vmovdqa32(d[i], a.lanes[i]);
    piece.code.vpternlogd(d[i], b.lanes[i], c.lanes[i], table);
  }
  finish_lanes(piece, op, 4, d);
}

void invert(Piece& piece, const Op& op, uint32_t bytes) {
  const auto a = piece.lanes.use(op.a, bytes);
  const Lanes d = piece.lanes.make(bytes);
  for (uint32_t i = 0; i < vectors_of(bytes); ++i) piece.code.vpternlogd(d[i], a.lanes[i], a.lanes[i], 0x55);
  finish_lanes(piece, op, bytes, d);
}

bool is_of_two_words(const Selector& s) {
  const bool known = s.opcode == Opcode::and_ || s.opcode == Opcode::or_ || s.opcode == Opcode::xor_;
  return known && program::family_of(s) == program::Family::logic && ptx::bits_of(s.type) == 32;
}

bool apply(Opcode opcode, bool a, bool b) {
  return opcode == Opcode::and_ ? a && b : opcode == Opcode::or_ ? a || b : a != b;
}

// An op of two words whose result only the next one reads, which is such an op too: both are one by a table.
// Decode has linked them so that the result between them goes nowhere else.
bool translate_two(Piece& piece, const Op& op, const Selector& s) {
  const Op& next = *(&op + 1);
  const program::Links* const links = op.handlers.links;
  if (!is_of_two_words(s) || (op.flags & program::flag_linked) == 0 || links == nullptr) return false;
  if (op.handlers.run[all_lanes] != links->first[0] || !piece.has_selector(next)) return false;
  const Selector& after = piece.selector(next);
  if (!is_of_two_words(after) || (next.a == op.d) == (next.b == op.d)) return false;
  int table = 0;
  for (int bits = 0; bits < 8; ++bits) {
    const bool between = apply(s.opcode, (bits & 4) != 0, (bits & 2) != 0);
    table |= static_cast<int>(apply(after.opcode, between, (bits & 1) != 0)) << bits;
  }
  Op both = next;
  both.a = op.a;
  both.b = op.b;
  both.c = next.a == op.d ? next.b : next.a;
  by_table(piece, both, table);
  piece.further_ops = 1;
  return true;
}

bool translate_logic(Piece& piece, const Op& op, const Selector& s) {
  if (ptx::bits_of(s.type) == 1) return translate_predicates(piece, op, s);
  if (!is_32_or_64(s.type)) return false;
  if (translate_two(piece, op, s)) return true;
  const uint32_t bytes = is_64(s.type) ? 8 : 4;
  switch (s.opcode) {
    case Opcode::and_:
      binary(piece, op, Inst::kIdVpandd, bytes);
      return true;
    case Opcode::or_:
      binary(piece, op, Inst::kIdVpord, bytes);
      return true;
    case Opcode::xor_:
      binary(piece, op, Inst::kIdVpxord, bytes);
      return true;
    case Opcode::not_:
      invert(piece, op, bytes);
      return true;
    case Opcode::shl:
    case Opcode::shr:
      shift(piece, op, s);
      return true;
    case Opcode::lop3: {
      const auto table = piece.known.find(op.e);
      if (s.has_boolean || table == piece.known.end()) return false;
      by_table(piece, op, static_cast<int>(table->second & 255));
      return true;
    }
    default:
      return false;
  }
}

}  // namespace

void finish_lanes(Piece& piece, const Op& op, uint32_t bytes, const Lanes& lanes,
                  std::optional<uint32_t> root) {
  piece.lanes.bind(op.d, bytes, lanes, piece.is_forgotten(op), root ? *root : piece.lanes.new_root());
  piece.lanes.release();
}

bool translate_lanes(Piece& piece, const Op& op) {
  if (translate_line(piece, op)) return true;
  const Selector& s = piece.selector(op);
  switch (program::family_of(s)) {
    case program::Family::integer:
      return translate_integer(piece, op, s);
    case program::Family::floating:
      return translate_float(piece, op);
    case program::Family::logic:
      return translate_logic(piece, op, s);
    case program::Family::compare:
      return translate_compare(piece, op);
    case program::Family::convert:
      return translate_convert(piece, op);
    case program::Family::move:
      if (s.opcode == Opcode::cvta) {
        binary(piece, op, Inst::kIdVpaddq, 8);
        return true;
      }
      if (s.vector != 1) return false;
      if (ptx::bits_of(s.type) == 1) return translate_predicates(piece, op, s);
      if (ptx::bits_of(s.type) != 16 && !is_32_or_64(s.type)) return false;
      move(piece, op, ptx::bits_of(s.type) / 8);
      return true;
    default:
      return false;
  }
}

}  // namespace warplens::exec::tier
