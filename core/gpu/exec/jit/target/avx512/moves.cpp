// Values that change their places all at once, where a loop's next round starts.
#include <algorithm>

#include "core/gpu/exec/jit/target/avx512/code.h"

namespace warplens::exec::jit::avx512 {

namespace {

// One vector or mask: where it is now, and where it is to be.
struct Move {
  enum class At : uint8_t { vector, mask, stack, nowhere };
  At from_at = At::nowhere, to_at = At::vector;
  int32_t from = 0, to = 0;  // a register's number, or a place from rsp on
  bool is_mask = false;
  uint32_t value = no_value, part = 0;  // of what is nowhere, and is made again
};

Move move_of(const Location& from, const Location& to, bool is_mask, bool is_uniform, uint32_t part) {
  Move move{.is_mask = is_mask, .value = from.value, .part = part};
  const Move::At in_register = is_mask ? Move::At::mask : Move::At::vector;
  if (from.registers) {
    move.from_at = in_register;
    move.from = (*from.registers)[part];
  } else if (from.place) {
    move.from_at = Move::At::stack;
    move.from = offset_of_place(*from.place, is_uniform ? 0 : part);
  }
  move.to_at = to.registers ? in_register : Move::At::stack;
  move.to = to.registers ? (*to.registers)[part] : offset_of_place(*to.place, part);
  return move;
}

bool reads_where(const Move& move, const Move& writes) {
  return move.from_at == writes.to_at && move.from == writes.to;
}

constexpr int32_t scratch_number = -1;

x86::Zmm vector_of(int32_t number) {
  return number == scratch_number ? scratch1 : lanes(static_cast<uint32_t>(number));
}
x86::KReg mask_of(int32_t number) {
  return number == scratch_number ? mask_scratch0 : mask(static_cast<uint32_t>(number));
}
x86::Mem on_stack(int32_t at, uint32_t size) { return x86::ptr(x86::rsp, at, size); }

class Mover {
 public:
  explicit Mover(WarpCode& code) : m_code(code), m_out(code.assembler) {}
  void move(std::vector<Move> left);

 private:
  void emit(const Move& move);
  void emit_mask(const Move& move);

  WarpCode& m_code;
  Assembler& m_out;
};

void Mover::emit_mask(const Move& move) {
  const x86::KReg to = move.to_at == Move::At::mask ? mask_of(move.to) : mask_scratch1;
  if (move.from_at == Move::At::mask) {
    m_out.kmovd(to, mask_of(move.from));
  } else if (move.from_at == Move::At::stack) {
    m_out.kmovd(to, on_stack(move.from, 4));
  } else {
    m_code.load_mask_again(m_code.maker(move.value), to);
  }
  if (move.to_at == Move::At::stack) m_out.kmovd(on_stack(move.to, 4), to);
}

void Mover::emit(const Move& move) {
  if (move.is_mask) return emit_mask(move);
  const bool to_stack = move.to_at == Move::At::stack;
  x86::Zmm to = to_stack ? scratch0 : vector_of(move.to);
  if (move.from_at == Move::At::vector && to_stack) {
    to = vector_of(move.from);
  } else if (move.from_at == Move::At::vector) {
    m_out.vmovdqa32(to, vector_of(move.from));
  } else if (move.from_at == Move::At::stack) {
    m_out.vmovdqu32(to, on_stack(move.from, 64));
  } else {
    m_code.load_again(m_code.maker(move.value), move.part, to);
  }
  if (to_stack) m_out.vmovdqu32(on_stack(move.to, 64), to);
}

void Mover::move(std::vector<Move> left) {
  std::erase_if(left, [](const Move& move) { return reads_where(move, move); });
  while (!left.empty()) {
    const auto free = std::ranges::find_if(left, [&](const Move& move) {
      return std::ranges::none_of(
          left, [&](const Move& other) { return &other != &move && reads_where(other, move); });
    });
    if (free != left.end()) {
      emit(*free);
      left.erase(free);
      continue;
    }
    // Circles: what one of them reads waits in a register, which is free again before the next circle is
    // found.
    Move waits = left.front();
    const Move before = waits;
    waits.to_at = waits.is_mask ? Move::At::mask : Move::At::vector;
    waits.to = scratch_number;
    emit(waits);
    for (Move& move : left) {
      if (move.from_at != before.from_at || move.from != before.from) continue;
      move.from_at = waits.to_at;
      move.from = scratch_number;
    }
  }
}

}  // namespace

void WarpCode::move_all(const std::vector<std::pair<Location, Location>>& moves) {
  std::vector<Move> all;
  for (const auto& [from, to] : moves) {
    const Instruction &source = maker(from.value), &target = maker(to.value);
    const bool is_mask = result_of(source) == Type::pred;
    const uint32_t parts = to.registers ? different_parts(target) : parts_of(result_of(target));
    for (uint32_t part = 0; part < parts; ++part)
      all.push_back(move_of(from, to, is_mask, is_uniform(source), part));
  }
  Mover(*this).move(std::move(all));
}

}  // namespace warplens::exec::jit::avx512
