// Loads and stores of global and shared memory whose lanes lie to each other as they did before
// (core/gpu/exec/state/access_shape.h): the rules of core/gpu/exec/ops/whole_warp.h, in machine code. What
// differs goes to the handler.
#include <optional>

#include "core/gpu/exec/tier/layout.h"
#include "core/gpu/exec/tier/piece.h"
#include "core/program/op/memory_op.h"

namespace warplens::exec::tier {

namespace {

using program::Selector;
using ptx::Modifier;
using ptx::Opcode;

constexpr x86::Gp shape_register = x86::rdx, first_register = x86::rcx;

class Access {
 public:
  Access(Piece& piece, const Op& op, const Selector& s)
      : m_piece(piece),
        m_code(piece.code),
        m_op(op),
        m_global(s.operation == Modifier::global),
        m_store(s.opcode == Opcode::st),
        m_signed(ptx::is_signed(s.type) && !m_store),
        m_bytes(ptx::bits_of(s.type) / 8),
        m_register_bytes(s.destination_bits / 8u),
        m_state(static_cast<int32_t>(program::access_counter(op)) * state_bytes) {}

  static bool is_known(const Op& op, const Selector& s);
  void emit();

 private:
  using Form = AccessShape::Form;
  static constexpr int32_t row = WARPLENS_OFFSET(AccessShape, relative) +
                                 static_cast<int32_t>(AccessShape::half_lanes * sizeof(uint64_t));
  static constexpr int32_t window(uint32_t half) {
    return WARPLENS_OFFSET(AccessShape, windows) + static_cast<int32_t>(half * sizeof(AccessShape::Window));
  }

  x86::Mem state(int32_t member) const { return x86::ptr(counters_register, m_state + member); }
  x86::Mem reach(int32_t member) const {
    return state(WARPLENS_OFFSET(MemoryOpState, shape) + LearntShape::offset_of_reach() + member);
  }
  static x86::Mem shape(int32_t member) { return x86::ptr(shape_register, member); }
  // Where no register says how much is read.
  x86::Mem byte_of_state(int32_t member) const { return x86::byte_ptr(counters_register, m_state + member); }
  static x86::Mem byte_of_shape(int32_t member) { return x86::byte_ptr(shape_register, member); }
  void compare_form(Form form);
  void load_shape();
  void find_shape();
  void find_shape_of_line();
  void compare_lanes();
  void compare_steps();
  void find_first();
  void check_reach();
  void count_global();
  void count_shared();
  x86::Mem second_row();
  bool is_contiguous() const { return m_line && m_line->step == int64_t{m_bytes}; }
  bool moves(Form form) const;
  void move(Form form);
  void load_rows();
  void load_equal_halves();
  void load_windows();
  void load_window(x86::Zmm to, uint32_t half);
  void store_rows();
  void store_windows();
  x86::Zmm words_of_half(uint32_t half, x86::Zmm scratch);
  void move_by_form();
  void go_beside(const std::vector<LaneRegisters::Held>& before);

  Piece& m_piece;
  Assembler& m_code;
  const Op& m_op;
  bool m_global, m_store, m_signed;
  uint32_t m_bytes, m_register_bytes;
  int32_t m_state;
  LaneRegisters::Held m_base;
  std::optional<Line> m_line;  // in place of m_base
  uint32_t m_step_place = 0;
  Lanes m_data{};
  asmjit::Label m_beside, m_back;
};

// With forms of their own: elements of up to 64 bits, of a whole warp.
bool Access::is_known(const Op& op, const Selector& s) {
  const bool is_there = s.operation == Modifier::global || s.operation == Modifier::shared;
  if (s.vector != 1 || op.d == no_slot || !is_there) return false;
  const uint32_t bytes = ptx::bits_of(s.type) / 8, register_bytes = s.destination_bits / 8u;
  if (bytes == 8 || bytes == 4) return register_bytes == bytes;
  return register_bytes == 2 || register_bytes == 4;
}

void Access::compare_lanes() {
  const bool narrow = program::has_narrow_address(m_op);
  const uint32_t parts = narrow ? 2 : 4;
  const int32_t lanes =
      narrow ? WARPLENS_OFFSET(AccessShape, narrow) : WARPLENS_OFFSET(AccessShape, relative);
  constexpr x86::KReg masks[] = {x86::k1, x86::k2, x86::k3, x86::k4};
  m_code.emit(narrow ? Inst::kIdVpbroadcastd : Inst::kIdVpbroadcastq, scratch0, m_base.lanes[0].xmm());
  for (uint32_t i = 0; i < parts; ++i) {
    m_code.emit(narrow ? Inst::kIdVpaddd : Inst::kIdVpaddq, scratch1, scratch0,
                shape(lanes + static_cast<int32_t>(i) * vector_bytes));
    m_code.emit(narrow ? Inst::kIdVpcmpd : Inst::kIdVpcmpq, masks[i], scratch1, m_base.lanes[i],
                asmjit::Imm(4));
  }
  m_code.korw(x86::k1, x86::k1, x86::k2);
  if (!narrow) {
    m_code.korw(x86::k3, x86::k3, x86::k4);
    m_code.korw(x86::k1, x86::k1, x86::k3);
  }
  m_code.kortestw(x86::k1, x86::k1);
  m_code.jnz(m_beside);
}

// The same of a line.
void Access::compare_steps() {
  const bool narrow = program::has_narrow_address(m_op);
  const uint32_t lane_bytes = narrow ? 4 : 8;
  const int32_t lanes =
      narrow ? WARPLENS_OFFSET(AccessShape, narrow) : WARPLENS_OFFSET(AccessShape, relative);
  for (uint32_t i = 0; i < vectors_of(lane_bytes); ++i) {
    if (m_line->step == 0) {
      m_code.vmovdqu32(scratch0, shape(lanes + static_cast<int32_t>(i) * vector_bytes));
      m_code.vptestmd(x86::k1, scratch0, scratch0);
    } else {
      m_code.vmovdqu32(scratch0, m_piece.constants.steps(m_line->step, lane_bytes, i));
      m_code.vpcmpd(x86::k1, scratch0, shape(lanes + static_cast<int32_t>(i) * vector_bytes), 4);
    }
    m_code.kortestw(x86::k1, x86::k1);
    m_code.jnz(m_beside);
  }
}

// The shape that this instruction knows.
void Access::load_shape() {
  m_code.mov(shape_register, state(WARPLENS_OFFSET(MemoryOpState, shape) + LearntShape::offset_of_shape()));
}

// That the lanes lie so. Registers that differ by a number were compared with it before, most often.
void Access::find_shape() {
  load_shape();
  auto& known = m_piece.shapes_of_roots;
  const auto found = known.find(m_base.root);
  if (program::has_known_address(m_op) || (found == known.end() && known.size() == most_roots)) {
    m_code.test(shape_register, shape_register);
    m_code.jz(m_beside);
    if (!program::has_known_address(m_op)) compare_lanes();
    return;
  }
  const auto place = found != known.end() ? found->second : static_cast<uint32_t>(known.size());
  const x86::Mem checked = x86::ptr(x86::rsp, static_cast<int32_t>(8 * place));
  auto compare = [access = *this, checked]() mutable {
    access.m_code.test(shape_register, shape_register);
    access.m_code.jz(access.m_beside);
    access.compare_lanes();
    access.m_code.mov(checked, shape_register);
  };
  if (found == known.end()) {
    compare();
    known[m_base.root] = place;
    return;
  }
  const asmjit::Label other = m_code.newLabel(), same = m_code.newLabel();
  m_code.cmp(shape_register, checked);
  m_code.jnz(other);
  m_code.bind(same);
  m_piece.beside.emplace_back([&code = m_code, compare, other, same]() mutable {
    code.bind(other);
    compare();
    code.jmp(same);
  });
}

// The lanes of a line lie to each other as they do each time, so the shape is compared with them once.
void Access::find_shape_of_line() {
  load_shape();
  const x86::Mem seen = x86::ptr(x86::rsp, steps_at + static_cast<int32_t>(8 * m_step_place));
  const asmjit::Label other = m_code.newLabel(), same = m_code.newLabel();
  m_code.cmp(shape_register, seen);
  m_code.jnz(other);
  m_code.bind(same);
  m_piece.beside.emplace_back([access = *this, seen, other, same]() mutable {
    access.m_code.bind(other);
    access.m_code.test(shape_register, shape_register);
    access.m_code.jz(access.m_beside);
    access.compare_steps();
    access.m_code.mov(seen, shape_register);
    access.m_code.jmp(same);
  });
}

// rcx: the first lane's address.
void Access::find_first() {
  const auto offset = static_cast<int64_t>(program::address_offset(m_op));
  if (program::has_known_address(m_op)) return static_cast<void>(m_code.mov(first_register, offset));
  if (m_line) {
    m_code.mov(program::has_narrow_address(m_op) ? first_register.r32() : first_register, m_line->first);
  } else if (program::has_narrow_address(m_op)) {
    m_code.vmovd(first_register.r32(), m_base.lanes[0].xmm());
  } else {
    m_code.vmovq(first_register, m_base.lanes[0].xmm());
  }
  if (offset == 0) return;
  if (offset == static_cast<int32_t>(offset)) {
    m_code.add(first_register, static_cast<int32_t>(offset));
  } else {
    m_code.mov(x86::rsi, static_cast<uint64_t>(offset));
    m_code.add(first_register, x86::rsi);
  }
}

// That all of it lies in the allocation, or in shared memory.
void Access::check_reach() {
  if (m_bytes > 1) {
    m_code.test(first_register.r8(), m_bytes - 1);
    m_code.jnz(m_beside);
  }
  m_code.mov(x86::rax, first_register);
  m_code.sub(x86::rax, reach(WARPLENS_OFFSET(Reach, begin)));
  m_code.cmp(x86::rax, reach(WARPLENS_OFFSET(Reach, count)));
  m_code.jae(m_beside);
}

void Access::count_global() {
  const auto cost = [](int32_t member) {
    return x86::byte_ptr(x86::rsi, WARPLENS_OFFSET(AccessShape, costs) + member);
  };
  m_code.mov(x86::esi, first_register.r32());
  m_code.and_(x86::esi, AccessShape::line_bytes - 1);
  m_code.lea(x86::rsi, x86::ptr(x86::rsi, x86::rsi, 1));
  m_code.add(x86::rsi, shape_register);
  m_code.movzx(x86::edi, cost(WARPLENS_OFFSET(AccessShape::Cost, sectors)));
  m_code.test(x86::edi, x86::edi);
  m_code.jz(m_beside);  // not worked out yet
  m_code.inc(x86::qword_ptr(counters_register, m_state + WARPLENS_OFFSET(MemoryOpState, requests)));
  m_code.add(state(WARPLENS_OFFSET(MemoryOpState, sectors)), x86::rdi);
  m_code.add(x86::ptr(block_register, WARPLENS_OFFSET(BlockContext, block_sectors)), x86::rdi);
  m_code.mov(x86::edi, shape(WARPLENS_OFFSET(AccessShape, sectors_ideal)));
  m_code.add(state(WARPLENS_OFFSET(MemoryOpState, sectors_ideal)), x86::rdi);
  m_code.movzx(x86::edi, cost(WARPLENS_OFFSET(AccessShape::Cost, lines)));
  m_code.add(state(WARPLENS_OFFSET(MemoryOpState, lines)), x86::rdi);
  if (is_contiguous()) return;  // which ascends
  m_code.movzx(x86::edi, cost(WARPLENS_OFFSET(AccessShape::Cost, descends)));
  m_code.imul(x86::rdi, x86::rdi, static_cast<int32_t>(slow_steps));
  m_code.sub(steps_register, x86::rdi);
}

void Access::count_shared() {
  m_code.cmp(byte_of_state(WARPLENS_OFFSET(MemoryOpState, shape_counted)), 0);
  m_code.jz(m_beside);
  m_code.mov(x86::eax, first_register.r32());
  m_code.and_(x86::eax, 3);
  m_code.cmp(x86::al, state(WARPLENS_OFFSET(MemoryOpState, shape_phase)));
  m_code.jnz(m_beside);
  m_code.inc(x86::qword_ptr(counters_register, m_state + WARPLENS_OFFSET(MemoryOpState, requests)));
  m_code.mov(x86::esi, state(WARPLENS_OFFSET(MemoryOpState, pattern_wavefronts)));
  m_code.add(state(WARPLENS_OFFSET(MemoryOpState, wavefronts)), x86::rsi);
  m_code.mov(x86::esi, state(WARPLENS_OFFSET(MemoryOpState, pattern_conflicts)));
  m_code.add(state(WARPLENS_OFFSET(MemoryOpState, conflicts)), x86::rsi);
}

void Access::compare_form(Form form) {
  m_code.cmp(byte_of_shape(WARPLENS_OFFSET(AccessShape, form)), static_cast<uint8_t>(form));
}

// Where the first byte of lane 16 is; rax is lost.
x86::Mem Access::second_row() {
  if (is_contiguous())
    return x86::ptr(first_register, static_cast<int32_t>(AccessShape::half_lanes * m_bytes));
  m_code.mov(x86::rax, shape(row));
  m_code.add(x86::rax, first_register);
  return x86::ptr(x86::rax);
}

void Access::load_rows() {
  const x86::Mem rows[2] = {x86::ptr(first_register), second_row()};
  if (m_bytes == 8) {
    for (uint32_t i = 0; i < 4; ++i)
      m_code.vmovdqu32(m_data[i], rows[i / 2].cloneAdjusted(static_cast<int32_t>(i % 2) * vector_bytes));
  } else if (m_bytes == m_register_bytes && m_bytes == 4) {
    for (uint32_t half = 0; half < 2; ++half) m_code.vmovdqu32(m_data[half], rows[half]);
  } else if (m_register_bytes == 4) {
    Id widen = m_bytes == 2 ? m_signed ? Inst::kIdVpmovsxwd : Inst::kIdVpmovzxwd
               : m_signed   ? Inst::kIdVpmovsxbd
                            : Inst::kIdVpmovzxbd;
    for (uint32_t half = 0; half < 2; ++half) m_code.emit(widen, m_data[half], rows[half]);
  } else if (m_bytes == 2) {
    m_code.vmovdqu(m_data[0].ymm(), rows[0]);
    m_code.vinserti64x4(m_data[0], m_data[0], rows[1], 1);
  } else {
    Id widen = m_signed ? Inst::kIdVpmovsxbw : Inst::kIdVpmovzxbw;
    m_code.emit(widen, m_data[0].ymm(), rows[0]);
    m_code.emit(widen, scratch0.ymm(), rows[1]);
    m_code.vinserti64x4(m_data[0], m_data[0], scratch0.ymm(), 1);
  }
}

void Access::load_equal_halves() {
  const x86::Mem places[2] = {x86::ptr(first_register), second_row()};
  Id spread = m_bytes == 8 ? Inst::kIdVpbroadcastq : Inst::kIdVpbroadcastd;
  for (uint32_t half = 0; half < 2; ++half) {
    if (m_bytes != 8) {
      m_code.emit(spread, m_data[half], places[half]);
      continue;
    }
    m_code.emit(spread, m_data[2 * half], places[half]);
    m_code.vmovdqa32(m_data[2 * half + 1], m_data[2 * half]);
  }
}

// 16 lanes, as words.
void Access::load_window(x86::Zmm to, uint32_t half) {
  const int32_t at = window(half);
  m_code.mov(x86::rax, shape(at + WARPLENS_OFFSET(AccessShape::Window, start)));
  m_code.add(x86::rax, first_register);
  m_code.kmovq(x86::k1, shape(at + WARPLENS_OFFSET(AccessShape::Window, bytes)));
  m_code.k(x86::k1).z().vmovdqu8(scratch0, x86::ptr(x86::rax));
  m_code.vmovdqu32(scratch1, shape(at + WARPLENS_OFFSET(AccessShape::Window, words)));
  m_code.vpermd(to, scratch1, scratch0);
  if (m_bytes == 4) return;
  m_code.vpsllvd(to, to, shape(at + WARPLENS_OFFSET(AccessShape::Window, shifts)));
  m_code.emit(m_signed ? Inst::kIdVpsrad : Inst::kIdVpsrld, to, to, asmjit::Imm(32 - 8 * m_bytes));
}

void Access::load_windows() {
  if (m_register_bytes == 4) {
    for (uint32_t half = 0; half < 2; ++half) load_window(m_data[half], half);
    return;
  }
  load_window(scratch2, 0);
  load_window(scratch3, 1);
  m_code.vpmovdw(m_data[0].ymm(), scratch2);
  m_code.vpmovdw(scratch2.ymm(), scratch3);
  m_code.vinserti64x4(m_data[0], m_data[0], scratch2.ymm(), 1);
}

// Two rows of 16 lanes, one behind the other: where they overlap, the second stays.
void Access::store_rows() {
  const x86::Mem rows[2] = {x86::ptr(first_register), second_row()};
  for (uint32_t half = 0; half < 2; ++half) {
    if (m_bytes == 8) {
      m_code.vmovdqu32(rows[half], m_data[2 * half]);
      m_code.vmovdqu32(rows[half].cloneAdjusted(vector_bytes), m_data[2 * half + 1]);
    } else if (m_bytes == 4) {
      m_code.vmovdqu32(rows[half], m_data[half]);
    } else if (m_register_bytes == 2 && m_bytes == 2) {
      m_code.vextracti64x4(rows[half], m_data[0], half);
    } else {
      m_code.emit(m_bytes == 2 ? Inst::kIdVpmovdw : Inst::kIdVpmovdb, rows[half],
                  words_of_half(half, scratch0));
    }
  }
}

// A lane in the low bits of each word.
x86::Zmm Access::words_of_half(uint32_t half, x86::Zmm scratch) {
  if (m_register_bytes == 4) return m_data[half];
  x86::Ymm narrow = m_data[0].ymm();
  if (half == 1) {
    m_code.vextracti64x4(scratch.ymm(), m_data[0], 1);
    narrow = scratch.ymm();
  }
  m_code.vpmovzxwd(scratch, narrow);
  return scratch;
}

// The bytes that belong to no lane stay as they are.
void Access::store_windows() {
  for (uint32_t half = 0; half < 2; ++half) {
    const int32_t at = window(half);
    m_code.mov(x86::rax, shape(at + WARPLENS_OFFSET(AccessShape::Window, start)));
    m_code.kmovq(x86::k1, shape(at + WARPLENS_OFFSET(AccessShape::Window, bytes)));
    m_code.vmovdqu32(scratch1, shape(at + WARPLENS_OFFSET(AccessShape::Window, sources)));
    m_code.vpermb(scratch0, scratch1, words_of_half(half, scratch0));
    m_code.k(x86::k1).vmovdqu8(x86::ptr(first_register, x86::rax), scratch0);
  }
}

// Whether there is code for it.
bool Access::moves(Form form) const {
  switch (form) {
    case Form::rows:
      return true;
    case Form::equal_halves:
      return !m_store && m_bytes >= 4;
    case Form::windows:
      return m_bytes <= 4 && (!m_store || m_piece.can_permute_bytes);
    case Form::scattered:
      return false;
  }
  return false;
}

void Access::move(Form form) {
  if (!is_contiguous()) m_code.sub(steps_register, shape(WARPLENS_OFFSET(AccessShape, steps)));
  if (m_global) {
    m_code.add(first_register, reach(WARPLENS_OFFSET(Reach, origin)));
  } else {
    m_code.add(first_register, x86::ptr(block_register, WARPLENS_OFFSET(BlockContext, shared)));
  }
  switch (form) {
    case Form::rows:
      return m_store ? store_rows() : load_rows();
    case Form::equal_halves:
      return load_equal_halves();
    default:
      return m_store ? store_windows() : load_windows();
  }
}

// Rows in line, the other forms at the side. Equal halves of small elements, and what has windows anyhow, lie
// in windows as well.
void Access::move_by_form() {
  if (is_contiguous()) {
    if (m_piece.lookers.counts) m_global ? count_global() : count_shared();
    return move(Form::rows);
  }
  const asmjit::Label others = m_code.newLabel(), done = m_code.newLabel();
  compare_form(Form::rows);
  m_code.jnz(others);
  if (m_piece.lookers.counts) m_global ? count_global() : count_shared();
  move(Form::rows);
  m_code.bind(done);
  m_piece.beside.emplace_back([access = *this, others, done]() mutable {
    access.m_code.bind(others);
    const auto take = [&](Form form) {
      if (access.m_piece.lookers.counts) access.m_global ? access.count_global() : access.count_shared();
      access.move(form);
      access.m_code.jmp(done);
    };
    if (access.moves(Form::equal_halves)) {
      const asmjit::Label next = access.m_code.newLabel();
      access.compare_form(Form::equal_halves);
      access.m_code.jnz(next);
      take(Form::equal_halves);
      access.m_code.bind(next);
    }
    if (!access.moves(Form::windows)) return static_cast<void>(access.m_code.jmp(access.m_beside));
    access.m_code.cmp(byte_of_shape(WARPLENS_OFFSET(AccessShape, windowed)), 0);
    access.m_code.jz(access.m_beside);
    take(Form::windows);
  });
}

// The handler, with the frame as it has to be; then all that is in vector registers on the usual path.
void Access::go_beside(const std::vector<LaneRegisters::Held>& before) {
  m_piece.beside.emplace_back([&piece = m_piece, &op = m_op, from = m_beside, back = m_back, before,
                               after = m_piece.lanes.held(), roots = m_piece.shapes_of_roots.size()] {
    Assembler& code = piece.code;
    code.bind(from);
    piece.lanes.store_all(before, true);
    // Another shape may come to lie where one was.
    for (size_t root = 0; root < roots; ++root)
      code.mov(x86::qword_ptr(x86::rsp, static_cast<int32_t>(8 * root)), 0);
    piece.call_beside(op, &run_and_learn_shape);
    code.test(x86::rax, x86::rax);
    code.jz(piece.leave);
    for (const auto& held : after) piece.lanes.load(held);
    code.jmp(back);
  });
}

// All that takes registers comes first: what goes beside must find the same in them, wherever it starts.
void Access::emit() {
  const uint32_t address_bytes = program::has_narrow_address(m_op) ? 4 : 8;
  if (!program::has_known_address(m_op)) {
    m_line = m_piece.lanes.line(m_op.a, address_bytes);
    const auto place = m_line ? m_piece.place_of_step(m_line->step, address_bytes) : std::nullopt;
    m_step_place = place.value_or(0);
    if (!place) m_line.reset();
    if (!m_line) m_base = m_piece.lanes.use(m_op.a, address_bytes);
  }
  m_data = m_store ? m_piece.lanes.use(m_op.d, m_register_bytes).lanes : m_piece.lanes.make(m_register_bytes);
  const auto before = m_piece.lanes.held();
  m_beside = m_code.newLabel();
  m_back = m_code.newLabel();
  if (m_line) {
    find_shape_of_line();
  } else {
    find_shape();
  }
  find_first();
  check_reach();
  move_by_form();
  if (!m_store)
    m_piece.lanes.bind(m_op.d, m_register_bytes, m_data, m_piece.is_forgotten(m_op),
                       m_piece.lanes.new_root());
  m_code.bind(m_back);
  m_piece.lanes.release();
  go_beside(before);
}

}  // namespace

bool knows_access(const Piece& piece, const Op& op) {
  const Selector& s = piece.selector(op);
  // Shapes are of whole warps.
  if (piece.mode != all_lanes || (s.opcode != Opcode::ld && s.opcode != Opcode::st)) return false;
  if (s.operation == Modifier::global ? piece.lookers.global : piece.lookers.shared) return false;
  return Access::is_known(op, s);
}

bool translate_access(Piece& piece, const Op& op) {
  if (!knows_access(piece, op)) return false;
  Access(piece, op, piece.selector(op)).emit();
  return true;
}

}  // namespace warplens::exec::tier
