// Loads and stores of global and shared memory whose lanes lie to each other as they did before
// (core/gpu/exec/state/access_shape.h), between the frame and memory: the rules of
// core/gpu/exec/ops/whole_warp.h. What differs goes to the handler.
#include "core/gpu/exec/jit/target/avx2/code.h"

namespace warplens::exec::jit::avx2 {

namespace {

constexpr x86::Gp shape_register = x86::rdx, first_register = x86::rcx;
using Form = AccessShape::Form;

class AccessCode {
 public:
  AccessCode(Code& code, const Instruction& i)
      : m_code(code),
        m_out(code.assembler),
        m_i(i),
        m_access(i.access),
        m_store(is_store(i.opcode)),
        m_narrow(i.opcode == Opcode::load_b32 || i.opcode == Opcode::store_b32),
        m_state(static_cast<int32_t>(i.access.counter) * state_bytes) {
    if (i.sources[0] != no_value && code.is_row(i.sources[0])) m_step = code.maker(i.sources[0]).step;
  }
  void write();

 private:
  static constexpr int32_t row_place = WARPLENS_OFFSET(AccessShape, relative) +
                                       static_cast<int32_t>(AccessShape::half_lanes * sizeof(uint64_t));
  static int32_t window(uint32_t half) {
    return WARPLENS_OFFSET(AccessShape, windows) + static_cast<int32_t>(half * sizeof(AccessShape::Window));
  }
  x86::Mem state(int32_t member, uint32_t size = 0) const {
    return x86::ptr(counters_register, m_state + member, size);
  }
  x86::Mem reach(int32_t member) const {
    return state(WARPLENS_OFFSET(MemoryOpState, shape) + LearntShape::offset_of_reach() + member);
  }
  static x86::Mem shape(int32_t member, uint32_t size = 0) { return x86::ptr(shape_register, member, size); }
  x86::Mem frame_part(uint32_t byte, uint32_t size = 0) const { return of_frame(m_i.slot, byte, size); }
  bool is_contiguous() const { return m_step == int64_t{m_access.bytes}; }
  void check_shape();
  void compare_lanes();
  void find_first();
  void check_reach();
  void check_window_reach();
  void check_windows();
  void check_counts();
  void count();
  void count_global();
  void begin_move();
  x86::Mem second_row();
  void move_rows();
  void load_rows();
  void store_rows();
  void pack_bytes(x86::Ymm to);
  bool is_strided() const;
  void load_strided();
  void load_equal_halves();
  void load_windows();
  void move_lanes();
  void move_other_forms(const asmjit::Label& others, const asmjit::Label& done);
  void go_beside();

  Code& m_code;
  Assembler& m_out;
  const Instruction& m_i;
  Access m_access;
  bool m_store, m_narrow;
  int32_t m_state;
  std::optional<int64_t> m_step;  // of the address, where it is a row
  asmjit::Label m_beside, m_back;
};

// That the lanes lie as they did. What was seen of a row, or of a register of addresses that is the same
// since, is not looked at again.
void AccessCode::check_shape() {
  m_out.mov(shape_register, state(WARPLENS_OFFSET(MemoryOpState, shape) + LearntShape::offset_of_shape()));
  const auto test = [&] {
    m_out.test(shape_register, shape_register);
    m_out.jz(m_beside);
  };
  if (m_i.sources[0] == no_value) return test();
  std::optional<x86::Mem> seen;
  bool is_known = true;
  if (m_step) {
    seen = m_code.place_of_step(*m_step, m_narrow ? 4 : 8);
  } else if (const auto place = m_code.place_of_slot(m_code.maker(m_i.sources[0]).slot)) {
    seen = place->first;
    is_known = place->second;
  }
  if (!seen || !is_known) {
    test();
    compare_lanes();
    if (seen) m_out.mov(*seen, shape_register);
    return;
  }
  const asmjit::Label other = m_out.newLabel(), same = m_out.newLabel();
  m_out.cmp(shape_register, *seen);
  m_out.jnz(other);
  m_out.bind(same);
  // Where no shape is known both are 0, and the reach is empty.
  m_code.beside.emplace_back([access = *this, seen = *seen, other, same]() mutable {
    access.m_out.bind(other);
    access.m_out.test(shape_register, shape_register);
    access.m_out.jz(access.m_beside);
    access.compare_lanes();
    access.m_out.mov(seen, shape_register);
    access.m_out.jmp(same);
  });
}

void AccessCode::compare_lanes() {
  const int32_t of_shape =
      m_narrow ? WARPLENS_OFFSET(AccessShape, narrow) : WARPLENS_OFFSET(AccessShape, relative);
  const uint32_t parts = m_narrow ? 4 : 8;
  const Instruction& maker = m_code.maker(m_i.sources[0]);
  if (!m_step)
    m_out.emit(m_narrow ? Inst::kIdVpbroadcastd : Inst::kIdVpbroadcastq, scratch0, of_frame(maker.slot));
  m_out.vpxor(scratch2, scratch2, scratch2);
  for (uint32_t part = 0; part < parts; ++part) {
    const auto place = static_cast<int32_t>(part) * vector_bytes;
    m_out.vmovdqu(scratch1, shape(of_shape + place));
    if (!m_step) {
      m_out.emit(m_narrow ? Inst::kIdVpaddd : Inst::kIdVpaddq, scratch1, scratch1, scratch0);
      m_out.vpxor(scratch1, scratch1, of_frame(maker.slot, part * vector_bytes));
    } else if (*m_step != 0) {
      m_out.vpxor(scratch1, scratch1, m_code.steps.steps(*m_step, m_narrow ? 4 : 8, 0).cloneAdjusted(place));
    }
    m_out.vpor(scratch2, scratch2, scratch1);
  }
  m_out.vptest(scratch2, scratch2);
  m_out.jnz(m_beside);
}

// rcx: the first lane's address.
void AccessCode::find_first() {
  const auto offset = static_cast<int64_t>(m_i.number);
  if (m_i.sources[0] == no_value) return static_cast<void>(m_out.mov(first_register, offset));
  x86::Mem first = m_step ? m_code.row(m_i.sources[0]) : of_frame(m_code.maker(m_i.sources[0]).slot);
  first.setSize(m_narrow ? 4 : 8);
  if (m_narrow) {
    m_out.mov(first_register.r32(), first);
  } else {
    m_out.mov(first_register, first);
  }
  if (offset == 0) return;
  if (offset == static_cast<int32_t>(offset)) {
    m_out.add(first_register, static_cast<int32_t>(offset));
  } else {
    m_out.mov(x86::rsi, static_cast<uint64_t>(offset));
    m_out.add(first_register, x86::rsi);
  }
}

// That all of it lies in the allocation, or in shared memory. rax: how far behind the first place that may
// be.
void AccessCode::check_reach() {
  if (m_access.bytes > 1) {
    m_out.test(first_register.r8(), m_access.bytes - 1);
    m_out.jnz(m_beside);
  }
  m_out.mov(x86::rax, first_register);
  m_out.sub(x86::rax, reach(WARPLENS_OFFSET(Reach, begin)));
  m_out.cmp(x86::rax, reach(WARPLENS_OFFSET(Reach, count)));
  m_out.jae(m_beside);
}

// What has to hold before anything is counted.
void AccessCode::check_counts() {
  if (!m_code.asked.lookers->counts) return;
  if (m_access.is_shared) {
    m_out.cmp(state(WARPLENS_OFFSET(MemoryOpState, shape_counted), 1), 0);
    m_out.jz(m_beside);
    m_out.mov(x86::eax, first_register.r32());
    m_out.and_(x86::eax, 3);
    m_out.cmp(x86::al, state(WARPLENS_OFFSET(MemoryOpState, shape_phase)));
    m_out.jnz(m_beside);
    return;
  }
  m_out.mov(x86::esi, first_register.r32());
  m_out.and_(x86::esi, AccessShape::line_bytes - 1);
  m_out.lea(x86::rsi, x86::ptr(x86::rsi, x86::rsi, 1));
  m_out.add(x86::rsi, shape_register);
  m_out.movzx(x86::edi, x86::byte_ptr(x86::rsi, WARPLENS_OFFSET(AccessShape, costs) +
                                                    WARPLENS_OFFSET(AccessShape::Cost, sectors)));
  m_out.test(x86::edi, x86::edi);
  m_out.jz(m_beside);  // not worked out yet
}

// rsi and edi are what check_counts() left.
void AccessCode::count_global() {
  const auto cost = [](int32_t member) {
    return x86::byte_ptr(x86::rsi, WARPLENS_OFFSET(AccessShape, costs) + member);
  };
  m_out.add(state(WARPLENS_OFFSET(MemoryOpState, sectors)), x86::rdi);
  m_out.add(of_block(WARPLENS_OFFSET(BlockContext, block_sectors)), x86::rdi);
  m_out.mov(x86::edi, shape(WARPLENS_OFFSET(AccessShape, sectors_ideal)));
  m_out.add(state(WARPLENS_OFFSET(MemoryOpState, sectors_ideal)), x86::rdi);
  m_out.movzx(x86::edi, cost(WARPLENS_OFFSET(AccessShape::Cost, lines)));
  m_out.add(state(WARPLENS_OFFSET(MemoryOpState, lines)), x86::rdi);
  if (is_contiguous()) return;  // which ascends
  m_out.movzx(x86::edi, cost(WARPLENS_OFFSET(AccessShape::Cost, descends)));
  m_out.imul(x86::rdi, x86::rdi, static_cast<int32_t>(slow_steps));
  m_out.sub(steps_register, x86::rdi);
}

void AccessCode::count() {
  if (!m_code.asked.lookers->counts) return;
  m_out.inc(state(WARPLENS_OFFSET(MemoryOpState, requests), 8));
  if (!m_access.is_shared) return count_global();
  m_out.mov(x86::esi, state(WARPLENS_OFFSET(MemoryOpState, pattern_wavefronts)));
  m_out.add(state(WARPLENS_OFFSET(MemoryOpState, wavefronts)), x86::rsi);
  m_out.mov(x86::esi, state(WARPLENS_OFFSET(MemoryOpState, pattern_conflicts)));
  m_out.add(state(WARPLENS_OFFSET(MemoryOpState, conflicts)), x86::rsi);
}

// rcx: the first lane's bytes, in the host's memory.
void AccessCode::begin_move() {
  if (!is_contiguous()) m_out.sub(steps_register, shape(WARPLENS_OFFSET(AccessShape, steps)));
  if (m_access.is_shared) {
    m_out.add(first_register, of_block(WARPLENS_OFFSET(BlockContext, shared)));
  } else {
    m_out.add(first_register, reach(WARPLENS_OFFSET(Reach, origin)));
  }
}

// Where the first byte of lane 16 is; rax is lost.
x86::Mem AccessCode::second_row() {
  if (is_contiguous())
    return x86::ptr(first_register, static_cast<int32_t>(AccessShape::half_lanes * m_access.bytes));
  m_out.mov(x86::rax, shape(row_place));
  m_out.add(x86::rax, first_register);
  return x86::ptr(x86::rax);
}

void AccessCode::load_rows() {
  const x86::Mem rows[2] = {x86::ptr(first_register), second_row()};
  const uint32_t bytes = m_access.bytes, register_bytes = m_access.register_bytes;
  const bool same = bytes == register_bytes;
  Id widen = bytes == 2            ? m_access.is_signed ? Inst::kIdVpmovsxwd : Inst::kIdVpmovzxwd
             : register_bytes == 2 ? m_access.is_signed ? Inst::kIdVpmovsxbw : Inst::kIdVpmovzxbw
             : m_access.is_signed  ? Inst::kIdVpmovsxbd
                                   : Inst::kIdVpmovzxbd;
  const uint32_t parts = 32 * register_bytes / vector_bytes,
                 part_bytes = vector_bytes * bytes / register_bytes;
  for (uint32_t part = 0; part < parts; ++part) {
    const x86::Ymm to = lanes(part % lane_registers);
    const x86::Mem from =
        rows[2 * part / parts].cloneAdjusted(static_cast<int32_t>(part % (parts / 2) * part_bytes));
    m_out.emit(same ? Inst::kIdVmovdqu : widen, to, from);
    m_out.vmovdqu(frame_part(part * vector_bytes), to);
  }
}

// 32 lanes in bytes, of registers of 32 or 16 bits.
void AccessCode::pack_bytes(x86::Ymm to) {
  if (m_access.register_bytes == 2) {
    for (uint32_t part = 0; part < 2; ++part) {
      m_out.vmovdqu(lanes(part), frame_part(part * vector_bytes));
      m_out.vpand(lanes(part), lanes(part), m_code.filled(0x00ff00ff));
    }
    m_out.vpackuswb(to, lanes(0), lanes(1));
    m_out.vpermq(to, to, 0xd8);
    return;
  }
  for (uint32_t part = 0; part < 4; ++part) {
    m_out.vmovdqu(lanes(part), frame_part(part * vector_bytes));
    m_out.vpand(lanes(part), lanes(part), m_code.filled(0xff));
  }
  // Each half of a vector is packed alone: groups of four lanes come in the order 0 2 4 6 1 3 5 7.
  m_out.vpackusdw(lanes(0), lanes(0), lanes(1));
  m_out.vpackusdw(lanes(2), lanes(2), lanes(3));
  m_out.vpackuswb(to, lanes(0), lanes(2));
  m_out.vmovdqu(lanes(1), m_code.groups_in_order());
  m_out.vpermd(to, lanes(1), to);
}

// Two rows of 16 lanes, one behind the other: where they overlap, the second stays.
void AccessCode::store_rows() {
  const x86::Mem rows[2] = {x86::ptr(first_register), second_row()};
  const uint32_t bytes = m_access.bytes, register_bytes = m_access.register_bytes;
  if (bytes == 1) {
    pack_bytes(lanes(0));
    m_out.vmovdqu(rows[0], lanes(0).xmm());
    m_out.vextracti128(rows[1], lanes(0), 1);
    return;
  }
  if (bytes == register_bytes) {
    const uint32_t parts = 32 * register_bytes / vector_bytes;
    for (uint32_t part = 0; part < parts; ++part) {
      m_out.vmovdqu(lanes(part % lane_registers), frame_part(part * vector_bytes));
      m_out.vmovdqu(
          rows[2 * part / parts].cloneAdjusted(static_cast<int32_t>(part % (parts / 2)) * vector_bytes),
          lanes(part % lane_registers));
    }
    return;
  }
  for (uint32_t half = 0; half < 2; ++half) {  // 16 bits of 32
    for (uint32_t part = 0; part < 2; ++part) {
      m_out.vmovdqu(lanes(part), frame_part((2 * half + part) * vector_bytes));
      m_out.vpand(lanes(part), lanes(part), m_code.filled(0xffff));
    }
    m_out.vpackusdw(lanes(0), lanes(0), lanes(1));
    m_out.vpermq(lanes(0), lanes(0), 0xd8);
    m_out.vmovdqu(rows[half], lanes(0));
  }
}

void AccessCode::move_rows() {
  begin_move();
  if (m_store) {
    store_rows();
  } else {
    load_rows();
  }
}

// A row whose eight lanes of a strip lie in 32 bytes, each within one word of them: where a lane's bytes are
// is known.
bool AccessCode::is_strided() const {
  const int64_t bytes = m_access.bytes;
  return !m_store && m_step && bytes <= 4 && *m_step >= 0 && *m_step % bytes == 0 && *m_step != bytes &&
         7 * *m_step + bytes <= vector_bytes;
}

void AccessCode::load_strided() {
  std::array<uint32_t, strip_lanes> words{}, shifts{};
  const uint32_t bytes = m_access.bytes;
  for (uint32_t lane = 0; lane < strip_lanes; ++lane) {
    const auto at = lane * static_cast<uint32_t>(*m_step);
    words[lane] = at / 4;
    shifts[lane] = 32 - 8 * bytes - 8 * (at % 4);
  }
  m_out.vmovdqu(scratch0, m_code.vector(words));
  if (bytes != 4) m_out.vmovdqu(scratch1, m_code.vector(shifts));
  for (uint32_t strip = 0; strip < strips; ++strip) {
    const auto at = static_cast<int32_t>(strip_lanes * strip) * static_cast<int32_t>(*m_step);
    m_out.vpermd(lanes(strip), scratch0, x86::ptr(first_register, at));
    if (bytes == 4) continue;
    m_out.vpsllvd(lanes(strip), lanes(strip), scratch1);
    m_out.emit(m_access.is_signed ? Inst::kIdVpsrad : Inst::kIdVpsrld, lanes(strip), lanes(strip),
               asmjit::Imm(32 - 8 * bytes));
  }
  if (m_access.register_bytes == 4) {
    for (uint32_t strip = 0; strip < strips; ++strip)
      m_out.vmovdqu(frame_part(strip * vector_bytes), lanes(strip));
    return;
  }
  for (uint32_t half = 0; half < 2; ++half) {  // each half of a vector is packed alone
    const x86::Ymm low = lanes(2 * half), high = lanes(2 * half + 1);
    m_out.emit(m_access.is_signed ? Inst::kIdVpackssdw : Inst::kIdVpackusdw, low, low, high);
    m_out.vpermq(low, low, 0xd8);
    m_out.vmovdqu(frame_part(half * vector_bytes), low);
  }
}

// Elements of 32 and 64 bits.
void AccessCode::load_equal_halves() {
  const x86::Mem places[2] = {x86::ptr(first_register), second_row()};
  Id spread = m_access.bytes == 8 ? Inst::kIdVpbroadcastq : Inst::kIdVpbroadcastd;
  const uint32_t parts = 32 * m_access.bytes / vector_bytes;
  for (uint32_t half = 0; half < 2; ++half) {
    m_out.emit(spread, lanes(half), places[half]);
    for (uint32_t part = 0; part < parts / 2; ++part)
      m_out.vmovdqu(frame_part((half * parts / 2 + part) * vector_bytes), lanes(half));
  }
}

// Eight lanes whose words lie in 32 bytes: that the first one's is the lowest, and none is too far.
void AccessCode::check_windows() {
  m_out.vpxor(scratch2, scratch2, scratch2);
  for (uint32_t strip = 0; strip < strips; ++strip) {
    const int32_t words = window(strip / 2) + WARPLENS_OFFSET(AccessShape::Window, words) +
                          static_cast<int32_t>(strip % 2) * vector_bytes;
    m_out.vpbroadcastd(scratch0, shape(words));
    m_out.vmovdqu(scratch1, shape(words));
    m_out.vpsubd(lanes(strip), scratch1, scratch0);
    m_out.vpor(scratch2, scratch2, lanes(strip));
  }
  m_out.vptest(scratch2, m_code.filled(~7u));
}

// A strip is read whole: what lies behind its lanes has to be the allocation's too. rax is lost.
void AccessCode::check_window_reach() {
  m_out.mov(x86::rax, first_register);
  m_out.sub(x86::rax, reach(WARPLENS_OFFSET(Reach, begin)));
  m_out.add(x86::rax, vector_bytes);
  m_out.cmp(x86::rax, reach(WARPLENS_OFFSET(Reach, count)));
}

// The words' places are in ymm0 to ymm3.
void AccessCode::load_windows() {
  for (uint32_t strip = 0; strip < strips; ++strip) {
    const int32_t at = window(strip / 2), part = static_cast<int32_t>(strip % 2) * vector_bytes;
    m_out.mov(x86::eax, shape(at + WARPLENS_OFFSET(AccessShape::Window, words) + part));
    m_out.lea(x86::rax, x86::ptr(first_register, x86::rax, 2));
    m_out.add(x86::rax, shape(at + WARPLENS_OFFSET(AccessShape::Window, start)));
    const x86::Ymm to = lanes(4 + strip);
    m_out.vpermd(to, lanes(strip), x86::ptr(x86::rax));
    if (m_access.bytes != 4) {
      m_out.vpsllvd(to, to, shape(at + WARPLENS_OFFSET(AccessShape::Window, shifts) + part));
      m_out.emit(m_access.is_signed ? Inst::kIdVpsrad : Inst::kIdVpsrld, to, to,
                 asmjit::Imm(32 - 8 * m_access.bytes));
    }
    if (m_access.register_bytes == 4) {
      m_out.vmovdqu(frame_part(strip * vector_bytes), to);
      continue;
    }
    m_out.vextracti128(scratch0.xmm(), to, 1);
    // Words that fit into 16 bits with their sign or without.
    m_out.emit(m_access.is_signed ? Inst::kIdVpackssdw : Inst::kIdVpackusdw, to.xmm(), to.xmm(),
               scratch0.xmm());
    m_out.vmovdqu(frame_part(strip * vector_bytes / 2), to.xmm());
  }
}

x86::Gp part_of_rsi(uint32_t bytes) {
  if (bytes == 8) return x86::rsi;
  if (bytes == 4) return x86::esi;
  if (bytes == 2) return x86::si;
  return x86::sil;
}

// Lane by lane, in their order: of those at one place the last one stays.
void AccessCode::move_lanes() {
  const uint32_t bytes = m_access.bytes, register_bytes = m_access.register_bytes;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    m_out.mov(x86::rax, shape(WARPLENS_OFFSET(AccessShape, relative) + static_cast<int32_t>(8 * lane)));
    const x86::Mem memory = x86::ptr(first_register, x86::rax, 0, 0, bytes);
    const x86::Mem of_register = frame_part(lane * register_bytes, register_bytes);
    if (m_store) {
      const x86::Gp value = part_of_rsi(bytes);
      m_out.mov(value, frame_part(lane * register_bytes, bytes));
      m_out.mov(memory, value);
      continue;
    }
    if (bytes == 8) {
      m_out.mov(x86::rsi, memory);
    } else if (bytes == 4) {
      m_out.mov(x86::esi, memory);
    } else if (m_access.is_signed) {
      m_out.movsx(x86::esi, memory);
    } else {
      m_out.movzx(x86::esi, memory);
    }
    m_out.mov(of_register, part_of_rsi(register_bytes));
  }
}

// What lies in no rows. Each form is looked at before anything is counted.
void AccessCode::move_other_forms(const asmjit::Label& others, const asmjit::Label& done) {
  m_out.bind(others);
  const auto take = [&](void (AccessCode::*move)()) {
    check_counts();
    count();
    begin_move();
    (this->*move)();
    m_out.jmp(done);
  };
  if (!m_store && m_access.bytes >= 4) {
    const asmjit::Label next = m_out.newLabel();
    m_out.cmp(shape(WARPLENS_OFFSET(AccessShape, form), 1), static_cast<uint8_t>(Form::equal_halves));
    m_out.jnz(next);
    take(&AccessCode::load_equal_halves);
    m_out.bind(next);
  }
  if (!m_store && m_access.bytes <= 4) {
    const asmjit::Label next = m_out.newLabel();
    m_out.cmp(shape(WARPLENS_OFFSET(AccessShape, windowed), 1), 0);
    m_out.jz(next);
    check_windows();
    m_out.jnz(next);
    check_window_reach();
    m_out.jae(next);
    take(&AccessCode::load_windows);
    m_out.bind(next);
  }
  take(&AccessCode::move_lanes);
}

// The handler, with the frame as it has to be.
void AccessCode::go_beside() {
  m_code.beside.emplace_back([&code = m_code, &i = m_i, from = m_beside, back = m_back] {
    code.assembler.bind(from);
    put_state(code, i.state);
    code.call_handler(code.asked.ops + i.at, &run_and_learn_shape);
    code.assembler.test(x86::rax, x86::rax);
    code.assembler.jz(code.leave);
    code.assembler.jmp(back);
  });
}

void AccessCode::write() {
  m_beside = m_out.newLabel();
  m_back = m_out.newLabel();
  check_shape();
  find_first();
  check_reach();
  const asmjit::Label others = m_out.newLabel();
  if (is_strided()) {
    check_window_reach();
    m_out.jae(others);
    check_counts();
    count();
    begin_move();
    load_strided();
  } else {
    if (!is_contiguous()) {
      m_out.cmp(shape(WARPLENS_OFFSET(AccessShape, form), 1), static_cast<uint8_t>(Form::rows));
      m_out.jnz(others);
    }
    check_counts();
    count();
    move_rows();
  }
  m_out.bind(m_back);
  if (!m_store) m_code.forget_shapes_of(m_i.slot, 32u * m_access.register_bytes);
  if (!is_contiguous())
    m_code.beside.emplace_back(
        [access = *this, others, back = m_back]() mutable { access.move_other_forms(others, back); });
  go_beside();
}

}  // namespace

void write_access(Code& code, const Instruction& i) { AccessCode(code, i).write(); }

}  // namespace warplens::exec::jit::avx2
