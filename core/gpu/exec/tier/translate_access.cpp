// Loads and stores of global and shared memory whose lanes lie to each other as they did before
// (core/gpu/exec/state/access_shape.h): the rules of core/gpu/exec/ops/whole_warp.h, in machine code. What
// differs goes to the handler.
#include "core/gpu/exec/tier/compiled.h"
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

  bool is_known(const Selector& s) const;
  void emit();

 private:
  x86::Mem state(int32_t member) const { return x86::ptr(counters_register, m_state + member); }
  static x86::Mem shape(int32_t member) { return x86::ptr(shape_register, member); }
  // Where no register says how much is read.
  x86::Mem byte_of_state(int32_t member) const { return x86::byte_ptr(counters_register, m_state + member); }
  static x86::Mem byte_of_shape(int32_t member) { return x86::byte_ptr(shape_register, member); }
  void find_shape();
  void compare_lanes(const LaneRegisters::Held& base);
  void find_first();
  void add_offset(x86::Gp to);
  void check_ends();
  void check_form();
  void count_global();
  void count_shared();
  void load(const Lanes& to);
  void load_window(x86::Zmm to, int32_t window);
  void store(const Lanes& from);
  void go_beside(const std::vector<LaneRegisters::Held>& before);

  Piece& m_piece;
  Assembler& m_code;
  const Op& m_op;
  bool m_global, m_store, m_signed;
  uint32_t m_bytes, m_register_bytes;
  int32_t m_state;
  LaneRegisters::Held m_base;
  asmjit::Label m_beside, m_back;
};

// With forms of their own: a whole warp's elements of up to 32 bits, and 64 bits side by side.
bool Access::is_known(const Selector& s) const {
  if (s.vector != 1 || m_op.d == no_slot || (!m_global && s.operation != Modifier::shared)) return false;
  if (m_bytes == 8 || m_bytes == 4) return m_register_bytes == m_bytes;
  return m_register_bytes == 2 || m_register_bytes == 4;
}

void Access::compare_lanes(const LaneRegisters::Held& base) {
  const bool narrow = program::has_narrow_address(m_op);
  const uint32_t parts = narrow ? 2 : 4;
  const int32_t lanes =
      narrow ? WARPLENS_OFFSET(AccessShape, narrow) : WARPLENS_OFFSET(AccessShape, relative);
  constexpr x86::KReg masks[] = {x86::k1, x86::k2, x86::k3, x86::k4};
  m_code.emit(narrow ? Inst::kIdVpbroadcastd : Inst::kIdVpbroadcastq, scratch0, base.lanes[0].xmm());
  for (uint32_t i = 0; i < parts; ++i) {
    m_code.emit(narrow ? Inst::kIdVpaddd : Inst::kIdVpaddq, scratch1, scratch0,
                shape(lanes + static_cast<int32_t>(i) * vector_bytes));
    m_code.emit(narrow ? Inst::kIdVpcmpd : Inst::kIdVpcmpq, masks[i], scratch1, base.lanes[i],
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

// The shape that this instruction knows, in rdx, and that the lanes lie so. Registers that differ by a number
// were compared with it before, most often.
void Access::find_shape() {
  m_code.mov(shape_register, state(WARPLENS_OFFSET(MemoryOpState, shape) + LearntShape::offset_of_shape()));
  m_code.test(shape_register, shape_register);
  m_code.jz(m_beside);
  if (program::has_known_address(m_op)) return;
  auto& known = m_piece.shapes_of_roots;
  const auto found = known.find(m_base.root);
  if (found == known.end() && known.size() == Piece::most_roots) return compare_lanes(m_base);
  const auto place = found != known.end() ? found->second : static_cast<uint32_t>(known.size());
  const x86::Mem checked = x86::ptr(x86::rsp, static_cast<int32_t>(8 * place));
  const asmjit::Label same = m_code.newLabel();
  if (found != known.end()) {
    m_code.cmp(shape_register, checked);
    m_code.jz(same);
  }
  compare_lanes(m_base);
  m_code.mov(checked, shape_register);
  m_code.bind(same);
  known[m_base.root] = place;
}

void Access::add_offset(x86::Gp to) {
  const auto offset = static_cast<int64_t>(program::address_offset(m_op));
  if (offset == 0) return;
  if (offset == static_cast<int32_t>(offset)) {
    m_code.add(to, static_cast<int32_t>(offset));
  } else {
    m_code.mov(x86::rsi, static_cast<uint64_t>(offset));
    m_code.add(to, x86::rsi);
  }
}

// rcx: the first lane's address; r8 and r9: the smallest and the largest.
void Access::find_first() {
  if (program::has_known_address(m_op)) {
    m_code.mov(first_register, program::address_offset(m_op));
  } else if (program::has_narrow_address(m_op)) {
    m_code.vmovd(first_register.r32(), m_base.lanes[0].xmm());
  } else {
    m_code.vmovq(first_register, m_base.lanes[0].xmm());
  }
  m_code.mov(x86::r8, shape(WARPLENS_OFFSET(AccessShape, low)));
  m_code.mov(x86::r9, shape(WARPLENS_OFFSET(AccessShape, high)));
  m_code.add(x86::r8, first_register);
  m_code.add(x86::r9, first_register);
  if (program::has_known_address(m_op)) return;
  if (program::has_narrow_address(m_op)) {
    // 32 bits say all where no lane's address wraps around them.
    m_code.mov(x86::rax, x86::r8);
    m_code.or_(x86::rax, x86::r9);
    m_code.shr(x86::rax, 32);
    m_code.jnz(m_beside);
  }
  const x86::Gp addresses[] = {first_register, x86::r8, x86::r9};
  for (const x86::Gp& what : addresses) add_offset(what);
}

// That all of it lies in the allocation, or in shared memory; rcx becomes the host's address. Relative to the
// start, the smallest address is at most the largest, which leaves room for an element.
void Access::check_ends() {
  if (m_bytes > 1) {
    m_code.test(first_register.r8(), m_bytes - 1);
    m_code.jnz(m_beside);
  }
  if (m_global) {
    m_code.mov(x86::rax, state(WARPLENS_OFFSET(MemoryOpState, allocation)));
    m_code.test(x86::rax, x86::rax);
    m_code.jz(m_beside);
    if (m_store) {
      m_code.cmp(x86::byte_ptr(x86::rax, WARPLENS_OFFSET(Allocation, read_only)), 0);
      m_code.jnz(m_beside);
      m_code.cmp(x86::qword_ptr(x86::rax, WARPLENS_OFFSET(Allocation, writers)), 0);
      m_code.jnz(m_beside);
    }
    m_code.mov(x86::r10, x86::ptr(x86::rax, WARPLENS_OFFSET(Allocation, begin)));
    m_code.mov(x86::r11, x86::ptr(x86::rax, WARPLENS_OFFSET(Allocation, end)));
    for (const x86::Gp& what : {x86::r8, x86::r9, x86::r11}) m_code.sub(what, x86::r10);
  } else {
    m_code.mov(x86::r11d, x86::ptr(block_register, WARPLENS_OFFSET(BlockContext, shared_bytes)));
  }
  m_code.sub(x86::r11, static_cast<int32_t>(m_bytes));
  m_code.jb(m_beside);
  m_code.cmp(x86::r9, x86::r11);
  m_code.ja(m_beside);
  m_code.cmp(x86::r8, x86::r9);
  m_code.ja(m_beside);
}

// That the shape is one whose bytes are moved here.
void Access::check_form() {
  const int32_t form = m_store        ? WARPLENS_OFFSET(AccessShape, in_rows)
                       : m_bytes == 8 ? WARPLENS_OFFSET(AccessShape, contiguous)
                                      : WARPLENS_OFFSET(AccessShape, windowed);
  m_code.cmp(byte_of_shape(form), 0);
  m_code.jz(m_beside);
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

// 16 lanes, as words.
void Access::load_window(x86::Zmm to, int32_t window) {
  m_code.mov(x86::rax, shape(window + WARPLENS_OFFSET(AccessShape::Window, start)));
  m_code.add(x86::rax, first_register);
  m_code.kmovq(x86::k1, shape(window + WARPLENS_OFFSET(AccessShape::Window, bytes)));
  m_code.k(x86::k1).z().vmovdqu8(scratch0, x86::ptr(x86::rax));
  m_code.vmovdqu32(scratch1, shape(window + WARPLENS_OFFSET(AccessShape::Window, words)));
  m_code.vpermd(to, scratch1, scratch0);
  if (m_bytes == 4) return;
  m_code.vpsllvd(to, to, shape(window + WARPLENS_OFFSET(AccessShape::Window, shifts)));
  m_code.emit(m_signed ? Inst::kIdVpsrad : Inst::kIdVpsrld, to, to, asmjit::Imm(32 - 8 * m_bytes));
}

void Access::load(const Lanes& to) {
  constexpr int32_t windows = WARPLENS_OFFSET(AccessShape, windows);
  constexpr int32_t second = windows + static_cast<int32_t>(sizeof(AccessShape::Window));
  if (m_bytes == 8) {
    for (uint32_t i = 0; i < 4; ++i)
      m_code.vmovdqu32(to[i], x86::ptr(first_register, static_cast<int32_t>(i) * vector_bytes));
  } else if (m_register_bytes == 4) {
    const asmjit::Label scattered = m_code.newLabel(), done = m_code.newLabel();
    const bool may_be_side_by_side = m_global && m_bytes == 4;
    if (may_be_side_by_side) {
      m_code.cmp(byte_of_shape(WARPLENS_OFFSET(AccessShape, contiguous)), 0);
      m_code.jz(scattered);
      m_code.vmovdqu32(to[0], x86::ptr(first_register));
      m_code.vmovdqu32(to[1], x86::ptr(first_register, vector_bytes));
      m_code.jmp(done);
    }
    m_code.bind(scattered);
    load_window(to[0], windows);
    load_window(to[1], second);
    m_code.bind(done);
  } else {
    load_window(scratch2, windows);
    load_window(scratch3, second);
    m_code.vpmovdw(to[0].ymm(), scratch2);
    m_code.vpmovdw(scratch2.ymm(), scratch3);
    m_code.vinserti64x4(to[0], to[0], scratch2.ymm(), 1);
  }
}

// Two rows of 16 lanes, one behind the other: where they overlap, the second stays.
void Access::store(const Lanes& from) {
  constexpr int32_t row = WARPLENS_OFFSET(AccessShape, relative) +
                          static_cast<int32_t>(AccessShape::half_lanes * sizeof(uint64_t));
  m_code.mov(x86::rax, shape(row));
  m_code.add(x86::rax, first_register);
  const x86::Mem rows[2] = {x86::ptr(first_register), x86::ptr(x86::rax)};
  for (uint32_t half = 0; half < 2; ++half) {
    if (m_bytes == 8) {
      m_code.vmovdqu32(rows[half], from[2 * half]);
      m_code.vmovdqu32(rows[half].cloneAdjusted(vector_bytes), from[2 * half + 1]);
    } else if (m_bytes == 4) {
      m_code.vmovdqu32(rows[half], from[half]);
    } else if (m_register_bytes == 4) {
      m_code.emit(m_bytes == 2 ? Inst::kIdVpmovdw : Inst::kIdVpmovdb, rows[half], from[half]);
    } else {
      x86::Ymm words = from[0].ymm();
      if (half == 1) {
        m_code.vextracti64x4(scratch0.ymm(), from[0], 1);
        words = scratch0.ymm();
      }
      if (m_bytes == 2) {
        m_code.vmovdqu32(rows[half], words);
      } else {
        m_code.vpmovzxwd(scratch1, words);
        m_code.vpmovdb(rows[half], scratch1);
      }
    }
  }
}

// The handler, with the frame as it has to be; then all that is in vector registers on the usual path.
void Access::go_beside(const std::vector<LaneRegisters::Held>& before) {
  m_piece.beside.emplace_back([&piece = m_piece, &op = m_op, from = m_beside, back = m_back, before,
                               after = m_piece.lanes.held(), roots = m_piece.shapes_of_roots.size()] {
    Assembler& code = piece.code;
    code.bind(from);
    for (const auto& held : before)
      if (held.dirty) piece.lanes.store(held);
    // Another shape may come to lie where one was.
    for (size_t root = 0; root < roots; ++root)
      code.mov(x86::qword_ptr(x86::rsp, static_cast<int32_t>(8 * root)), 0);
    piece.call_handler(op, &run_and_learn_shape);
    code.test(x86::rax, x86::rax);
    code.jz(piece.leave);
    for (const auto& held : after) piece.lanes.load(held);
    code.jmp(back);
  });
}

// All that takes registers comes first: what goes beside must find the same in them, wherever it starts.
void Access::emit() {
  if (!program::has_known_address(m_op))
    m_base = m_piece.lanes.use(m_op.a, program::has_narrow_address(m_op) ? 4 : 8);
  const Lanes data =
      m_store ? m_piece.lanes.use(m_op.d, m_register_bytes).lanes : m_piece.lanes.make(m_register_bytes);
  const auto before = m_piece.lanes.held();
  m_beside = m_code.newLabel();
  m_back = m_code.newLabel();
  find_shape();
  find_first();
  check_ends();
  check_form();
  if (m_piece.counts) m_global ? count_global() : count_shared();
  m_code.sub(steps_register, shape(WARPLENS_OFFSET(AccessShape, steps)));
  if (m_global) {
    m_code.sub(first_register, x86::r10);
    m_code.add(first_register, x86::ptr(x86::rax, WARPLENS_OFFSET(Allocation, host)));
  } else {
    m_code.add(first_register, x86::ptr(block_register, WARPLENS_OFFSET(BlockContext, shared)));
  }
  if (m_store) {
    store(data);
  } else {
    load(data);
    m_piece.lanes.bind(m_op.d, m_register_bytes, data, m_piece.is_forgotten(m_op), m_piece.lanes.new_root());
  }
  m_code.bind(m_back);
  m_piece.lanes.release();
  go_beside(before);
}

}  // namespace

bool translate_access(Piece& piece, const Op& op) {
  const Selector& s = piece.selector(op);
  // Shapes are of whole warps.
  if (piece.mode != all_lanes || (s.opcode != Opcode::ld && s.opcode != Opcode::st)) return false;
  Access access(piece, op, s);
  if (!access.is_known(s)) return false;
  access.emit();
  return true;
}

}  // namespace warplens::exec::tier
