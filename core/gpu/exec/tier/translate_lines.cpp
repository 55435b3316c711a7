// Integers that grow by a fixed step from lane to lane, as addresses and what they are computed from do: the
// first lane's is computed, in one register of the processor, and the step is known here. Uniform values have
// the step 0. Where a lane's value would wrap around on the way to a wider one, the warp goes on in the
// handlers.
#include <optional>

#include "core/gpu/exec/tier/piece.h"

namespace warplens::exec::tier {

namespace {

using program::Selector;
using ptx::Modifier;
using ptx::Opcode;

constexpr int64_t last_lane = 31;
// So that the way to the last lane is a number of 32 bits.
constexpr int64_t longest_step = 1 << 24;

bool is_short(int64_t step) { return step >= -longest_step && step <= longest_step; }

class LineOp {
 public:
  LineOp(Piece& piece, const Op& op, const Selector& s)
      : m_piece(piece), m_code(piece.code), m_op(op), m_s(s) {}
  bool translate();

 private:
  std::optional<Line> line(uint32_t slot, uint32_t bytes) const { return m_piece.lanes.line(slot, bytes); }
  std::optional<int64_t> known(uint32_t slot, uint32_t bytes) const;
  static x86::Gp sized(x86::Gp r, uint32_t bytes) {
    if (bytes == 8) return r.r64();
    return r.r32();
  }
  void load(x86::Gp to, const Line& from, uint32_t bytes) { m_code.mov(sized(to, bytes), from.first); }
  void load_wide(x86::Gp to, const Line& from, bool is_signed);
  bool finish(uint32_t bytes, int64_t step);
  bool may_finish(int64_t step) const { return is_short(step) && m_piece.lanes.line_place().has_value(); }
  asmjit::Label go_on_by_handlers();
  void add_way_to_last(x86::Gp to, int64_t step, bool is_signed, const asmjit::Label& wraps);
  void require_ascending(uint32_t slot, const Line& line, bool is_signed);
  bool sum(uint32_t bytes, bool subtracts);
  bool product(uint32_t bytes, bool adds);
  bool wide_product(bool is_signed, bool adds);
  bool integer();
  bool shift(uint32_t bytes, bool left);
  bool logic();
  bool copy(uint32_t bytes);
  bool convert();
  bool compare();
  void compare_lanes(const Line& a, const Line& b, uint32_t bytes, Id code, int how);

  Piece& m_piece;
  Assembler& m_code;
  const Op& m_op;
  const Selector& m_s;
};

// A constant, as a signed number of this width.
std::optional<int64_t> LineOp::known(uint32_t slot, uint32_t bytes) const {
  const auto found = m_piece.known.find(slot);
  if (found == m_piece.known.end()) return {};
  return bytes == 8 ? static_cast<int64_t>(found->second)
                    : int64_t{static_cast<int32_t>(static_cast<uint32_t>(found->second))};
}

// 32 bits to 64.
void LineOp::load_wide(x86::Gp to, const Line& from, bool is_signed) {
  if (is_signed) {
    m_code.movsxd(to.r64(), from.first);
  } else {
    m_code.mov(to.r32(), from.first);
  }
}

// The first lane's value is in rax. may_finish() was asked.
bool LineOp::finish(uint32_t bytes, int64_t step) {
  const uint32_t place = *m_piece.lanes.line_place();
  m_code.mov(LaneRegisters::at_place(place, bytes), sized(x86::rax, bytes));
  m_piece.lanes.bind_line(m_op.d, bytes, step, place, m_piece.is_forgotten(m_op));
  return true;
}

// Where the op is not run here: by its handler, and what follows it as well.
asmjit::Label LineOp::go_on_by_handlers() {
  const asmjit::Label label = m_code.newLabel();
  m_piece.beside.emplace_back([&piece = m_piece, &op = m_op, label, held = m_piece.lanes.held()] {
    piece.code.bind(label);
    piece.lanes.store_all(held, true);
    piece.code.mov(x86::rax, asmjit::imm(piece.ops + piece.index_of(op)));
    piece.code.jmp(piece.leave);
  });
  return label;
}

void LineOp::add_way_to_last(x86::Gp to, int64_t step, bool is_signed, const asmjit::Label& wraps) {
  const int64_t way = last_lane * step;
  if (is_signed || way >= 0) {
    m_code.add(to, asmjit::Imm(way));
  } else {
    m_code.sub(to, asmjit::Imm(-way));
  }
  if (is_signed) {
    m_code.jo(wraps);
  } else {
    m_code.jc(wraps);
  }
}

// 32 bits.
void LineOp::require_ascending(uint32_t slot, const Line& line, bool is_signed) {
  if (line.step == 0 || (is_signed ? line.ascends_signed : line.ascends_unsigned)) return;
  load(x86::rcx, line, 4);
  add_way_to_last(x86::ecx, line.step, is_signed, go_on_by_handlers());
  m_piece.lanes.note_ascends(slot, 4, is_signed);
}

bool LineOp::sum(uint32_t bytes, bool subtracts) {
  const auto a = line(m_op.a, bytes), b = line(m_op.b, bytes);
  if (!a || !b) return false;
  const int64_t step = subtracts ? a->step - b->step : a->step + b->step;
  if (!may_finish(step)) return false;
  load(x86::rax, *a, bytes);
  m_code.emit(subtracts ? Inst::kIdSub : Inst::kIdAdd, sized(x86::rax, bytes), b->first);
  return finish(bytes, step);
}

// Of which one is uniform, and a constant where the other is not.
std::optional<int64_t> step_of_product(const Line& a, std::optional<int64_t> known_a, const Line& b,
                                       std::optional<int64_t> known_b) {
  if (a.step == 0 && b.step == 0) return 0;
  const auto factor = a.step == 0 ? known_a : b.step == 0 ? known_b : std::nullopt;
  if (!factor || !is_short(*factor)) return {};
  return *factor * (a.step + b.step);
}

bool LineOp::product(uint32_t bytes, bool adds) {
  const auto a = line(m_op.a, bytes), b = line(m_op.b, bytes);
  if (!a || !b) return false;
  auto step = step_of_product(*a, known(m_op.a, bytes), *b, known(m_op.b, bytes));
  if (!step) return false;
  std::optional<Line> c;
  if (adds) {
    c = line(m_op.c, bytes);
    if (!c) return false;
    *step += c->step;
  }
  if (!may_finish(*step)) return false;
  load(x86::rax, *a, bytes);
  m_code.imul(sized(x86::rax, bytes), b->first);
  if (adds) m_code.add(sized(x86::rax, bytes), c->first);
  return finish(bytes, *step);
}

// An unsigned constant of more than 31 bits is none that known() tells.
bool LineOp::wide_product(bool is_signed, bool adds) {
  const auto a = line(m_op.a, 4), b = line(m_op.b, 4);
  if (!a || !b) return false;
  const auto factor = [&](uint32_t slot) {
    const auto number = known(slot, 4);
    return number && (is_signed || *number >= 0) ? number : std::nullopt;
  };
  auto step = step_of_product(*a, factor(m_op.a), *b, factor(m_op.b));
  if (!step) return false;
  std::optional<Line> c;
  if (adds) {
    c = line(m_op.c, 8);
    if (!c) return false;
    *step += c->step;
  }
  if (!may_finish(*step)) return false;
  require_ascending(m_op.a, *a, is_signed);
  require_ascending(m_op.b, *b, is_signed);
  load_wide(x86::rax, *a, is_signed);
  load_wide(x86::rcx, *b, is_signed);
  m_code.imul(x86::rax, x86::rcx);
  if (adds) m_code.add(x86::rax, c->first);
  return finish(8, *step);
}

bool LineOp::integer() {
  if (m_s.sat || m_s.relu || m_s.carry_in || m_s.carry_out || m_s.hi) return false;
  const uint32_t bits = ptx::bits_of(m_s.type);
  if (bits != 32 && bits != 64) return false;
  const uint32_t bytes = bits / 8;
  switch (m_s.opcode) {
    case Opcode::add:
    case Opcode::sub:
      return sum(bytes, m_s.opcode == Opcode::sub);
    case Opcode::mul:
    case Opcode::mad: {
      const bool adds = m_s.opcode == Opcode::mad;
      if (!m_s.wide) return product(bytes, adds);
      return bits == 32 && wide_product(ptx::is_signed(m_s.type), adds);
    }
    default:
      return false;
  }
}

// By a constant. To the right only what is uniform.
bool LineOp::shift(uint32_t bytes, bool left) {
  const auto a = line(m_op.a, bytes);
  const auto by = known(m_op.b, 4);
  if (!a || !by || *by < 0 || *by >= int64_t{8} * bytes || (!left && a->step != 0)) return false;
  const bool is_long = *by > 24;
  if (is_long && a->step != 0) return false;
  const int64_t step = is_long ? 0 : a->step * (int64_t{1} << *by);
  if (!may_finish(step)) return false;
  load(x86::rax, *a, bytes);
  m_code.emit(left                       ? Inst::kIdShl
              : ptx::is_signed(m_s.type) ? Inst::kIdSar
                                         : Inst::kIdShr,
              sized(x86::rax, bytes), asmjit::Imm(*by));
  return finish(bytes, step);
}

bool LineOp::logic() {
  const uint32_t bits = ptx::bits_of(m_s.type);
  if (bits != 32 && bits != 64) return false;
  const uint32_t bytes = bits / 8;
  Id code{};
  switch (m_s.opcode) {
    case Opcode::shl:
    case Opcode::shr:
      return shift(bytes, m_s.opcode == Opcode::shl);
    case Opcode::and_:
      code = Inst::kIdAnd;
      break;
    case Opcode::or_:
      code = Inst::kIdOr;
      break;
    case Opcode::xor_:
      code = Inst::kIdXor;
      break;
    default:
      return false;
  }
  const auto a = line(m_op.a, bytes), b = line(m_op.b, bytes);
  if (!a || !b || a->step != 0 || b->step != 0 || !may_finish(0)) return false;
  load(x86::rax, *a, bytes);
  m_code.emit(code, sized(x86::rax, bytes), b->first);
  return finish(bytes, 0);
}

bool LineOp::copy(uint32_t bytes) {
  const auto a = line(m_op.a, bytes);
  if (!a || !may_finish(a->step)) return false;
  load(x86::rax, *a, bytes);
  return finish(bytes, a->step);
}

bool LineOp::convert() {
  if (m_s.sat || ptx::is_float(m_s.type) || ptx::is_float(m_s.source_type)) return false;
  const uint32_t to = ptx::bits_of(m_s.type), from = ptx::bits_of(m_s.source_type);
  if ((to != 32 && to != 64) || (from != 32 && from != 64)) return false;
  if (to == from) return copy(to / 8);
  const auto a = line(m_op.a, from / 8);
  if (!a || !may_finish(a->step)) return false;
  if (to == 32) {
    m_code.mov(x86::rax, a->first);
    return finish(4, a->step);
  }
  const bool is_signed = ptx::is_signed(m_s.source_type);
  require_ascending(m_op.a, *a, is_signed);
  load_wide(x86::rax, *a, is_signed);
  return finish(8, a->step);
}

// The lanes' bits, in eax.
void LineOp::compare_lanes(const Line& a, const Line& b, uint32_t bytes, Id code, int how) {
  constexpr x86::KReg masks[] = {x86::k1, x86::k2, x86::k3, x86::k4};
  const bool wide = bytes == 8;
  Id broadcast = wide ? Inst::kIdVpbroadcastq : Inst::kIdVpbroadcastd;
  m_code.emit(broadcast, scratch0, a.first);
  m_code.emit(broadcast, scratch1, b.first);
  for (uint32_t i = 0; i < vectors_of(bytes); ++i) {
    m_code.emit(wide ? Inst::kIdVpaddq : Inst::kIdVpaddd, scratch2, scratch0,
                m_piece.constants.steps(a.step, bytes, i));
    m_code.emit(code, masks[i], scratch2, scratch1, asmjit::Imm(how));
  }
  collect_lanes(m_code, wide);
}

// What compares a line with what is uniform is the same in all lanes where it is the same in the first and in
// the last one.
bool LineOp::compare() {
  const Modifier type = m_s.source_type;
  const uint32_t bits = ptx::bits_of(type);
  const auto how = integer_comparison(m_s.compare);
  if ((bits != 32 && bits != 64) || ptx::is_float(type) || !how || !can_combine(m_s)) return false;
  const bool is_signed = ptx::is_signed(type), wide = bits == 64;
  const uint32_t bytes = bits / 8;
  const auto a = line(m_op.a, bytes), b = line(m_op.b, bytes);
  if (!a || !b || b->step != 0) return false;
  const bool is_equality = m_s.compare == Modifier::eq || m_s.compare == Modifier::ne;
  if (a->step != 0 && is_equality) return false;
  const x86::Gp first = sized(x86::rax, bytes), last = sized(x86::rcx, bytes);
  const auto set = [&](x86::Gp to) {
    // In the order of the comparisons' numbers.
    constexpr Id below[] = {Inst::kIdSete,  Inst::kIdSetb,  Inst::kIdSetbe, 0,
                            Inst::kIdSetne, Inst::kIdSetae, Inst::kIdSeta};
    constexpr Id less[] = {Inst::kIdSete,  Inst::kIdSetl,  Inst::kIdSetle, 0,
                           Inst::kIdSetne, Inst::kIdSetge, Inst::kIdSetg};
    m_code.emit((is_signed ? less : below)[*how], to);
  };
  const asmjit::Label same = m_code.newLabel();
  load(x86::rax, *a, bytes);
  if (a->step != 0) {
    m_code.mov(last, first);
    add_way_to_last(last, a->step, is_signed, go_on_by_handlers());
  }
  m_code.cmp(first, b->first);
  set(x86::al);
  if (a->step != 0) {
    const asmjit::Label parts = m_code.newLabel();
    m_code.cmp(last, b->first);
    set(x86::cl);
    m_code.cmp(x86::al, x86::cl);
    m_code.jnz(parts);
    m_piece.beside.emplace_back(
        [op = *this, a = *a, b = *b, bytes, is_signed, wide, how = *how, parts, same]() mutable {
          op.m_code.bind(parts);
          op.compare_lanes(a, b, bytes, comparison(is_signed, wide), how);
          op.m_code.jmp(same);
        });
    m_piece.lanes.note_ascends(m_op.a, bytes, is_signed);
  }
  m_code.movzx(x86::eax, x86::al);
  m_code.neg(x86::eax);
  m_code.bind(same);
  write_predicates(m_piece, m_op, m_s);
  return true;
}

bool LineOp::translate() {
  switch (program::family_of(m_s)) {
    case program::Family::integer:
      return integer();
    case program::Family::logic:
      return logic();
    case program::Family::convert:
      return convert();
    case program::Family::compare:
      return m_s.opcode == Opcode::setp && compare();
    case program::Family::move:
      if (m_s.opcode == Opcode::cvta) return sum(8, false);
      if (m_s.vector != 1 || ptx::bits_of(m_s.type) < 32 || ptx::bits_of(m_s.type) > 64) return false;
      return copy(ptx::bits_of(m_s.type) / 8);
    default:
      return false;
  }
}

}  // namespace

bool translate_line(Piece& piece, const Op& op) {
  return piece.has_lines && LineOp(piece, op, piece.selector(op)).translate();
}

}  // namespace warplens::exec::tier
