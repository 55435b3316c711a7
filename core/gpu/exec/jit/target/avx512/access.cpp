// Loads and stores between registers and memory.
#include "core/gpu/exec/jit/target/x64/access.h"
#include "core/gpu/exec/jit/target/avx512/code.h"

namespace warplens::exec::jit::avx512 {

namespace {

using x64::first_register;

class WarpAccess : public x64::AccessCode {
 public:
  WarpAccess(WarpCode& code, const Instruction& i)
      : AccessCode(code, i),
        m_avx512(code),
        m_addresses(code.now().sources[0]),
        m_data(m_store ? code.now().sources[2] : code.now().result) {}

 private:
  uint32_t shape_key() override { return m_avx512.root(m_i.sources[0]); }
  void compare_lanes(const asmjit::Label& differ) override;
  void load_first() override;
  void move() override;
  void load_first_active() override;
  void compare_active_lanes() override;
  void move_active_lanes() override;
  void load_active_rows();
  void store_active_rows();
  void load_active_places();
  void gather_or_scatter();
  void move_active_by_stack();
  void move_active_otherwise();
  void load_active(const x86::KReg& to, uint32_t part_lanes, uint32_t part);
  void finish_cold_path() override;
  void store_ones(const x86::Mem& to, uint32_t bytes) override;
  x86::Zmm data(uint32_t part) const { return lanes(m_data[part]); }
  uint32_t parts() const { return 32 * m_access.register_bytes / static_cast<uint32_t>(vector_bytes); }
  bool moves(Form form) const;
  void take(Form form);
  void move_quarters() override;
  void move_rows() override { m_store ? store_rows() : load_rows(); }
  void load_quarter(uint32_t quarter, const x86::Mem& from);
  void store_quarter(uint32_t quarter, const x86::Mem& to);
  void load_data(const x86::Mem& from);
  void move_other_forms(const asmjit::Label& others);
  void load_rows();
  void load_equal_halves() override;
  void load_windows();
  void load_window(x86::Zmm to, uint32_t half);
  void store_rows();
  void store_windows();
  void move_each_lane();
  x86::Zmm words_of_half(uint32_t half, x86::Zmm scratch);

  WarpCode& m_avx512;
  Registers m_addresses, m_data;
  bool m_permutes_bytes = __builtin_cpu_supports("avx512vbmi") != 0;
};

// For a row, its steps are compared.
void WarpAccess::compare_lanes(const asmjit::Label& differ) {
  const int32_t of_shape =
      m_narrow ? WARPLENS_OFFSET(AccessShape, narrow) : WARPLENS_OFFSET(AccessShape, relative);
  const uint32_t parts = m_narrow ? 2 : 4;
  if (!m_step)
    m_out.emit(m_narrow ? Inst::kIdVpbroadcastd : Inst::kIdVpbroadcastq, scratch0,
               lanes(m_addresses[0]).xmm());
  for (uint32_t part = 0; part < parts; ++part) {
    const x86::Mem relative = shape(of_shape + static_cast<int32_t>(part) * vector_bytes);
    const x86::KReg differs = part == 0 ? mask_scratch0 : mask_scratch1;
    if (!m_step) {
      m_out.emit(m_narrow ? Inst::kIdVpaddd : Inst::kIdVpaddq, scratch1, scratch0, relative);
      m_out.emit(m_narrow ? Inst::kIdVpcmpd : Inst::kIdVpcmpq, differs, scratch1, lanes(m_addresses[part]),
                 asmjit::Imm(4));
    } else {
      m_out.vmovdqu32(scratch0, relative);
      const uint32_t lane_bytes = m_narrow ? 4 : 8;
      Id subtract = m_narrow ? Inst::kIdVpsubd : Inst::kIdVpsubq;
      if (m_rows.firsts() != 1) {
        m_avx512.spread_firsts(scratch1, m_rows, lane_bytes, part, [&](uint32_t row) {
          return shape(of_shape + static_cast<int32_t>(row * m_rows.lanes * lane_bytes));
        });
        m_out.emit(subtract, scratch0, scratch0, scratch1);
      }
      if (*m_step != 0) m_avx512.add_steps(subtract, scratch0, *m_step, m_rows, lane_bytes, part);
      m_out.vptestmd(differs, scratch0, scratch0);
    }
    if (part != 0) m_out.korw(mask_scratch0, mask_scratch0, mask_scratch1);
  }
  m_out.kortestw(mask_scratch0, mask_scratch0);
  m_out.jnz(differ);
}

void WarpAccess::load_first() {
  if (m_narrow) {
    m_out.vmovd(first_register.r32(), lanes(m_addresses[0]).xmm());
  } else {
    m_out.vmovq(first_register, lanes(m_addresses[0]).xmm());
  }
}

// The handler has left it in the frame.
void WarpAccess::finish_cold_path() {
  if (!m_store) load_data(of_frame(m_i.slot));
}

void WarpAccess::load_data(const x86::Mem& from) {
  for (uint32_t part = 0; part < parts(); ++part)
    m_out.vmovdqu32(data(part), from.cloneAdjusted(static_cast<int32_t>(part) * vector_bytes));
}

// By the stack, where registers are only while a handler runs.
void WarpAccess::move_each_lane() {
  const x86::Mem registers = x86::ptr(x86::rsp, kept_at);
  if (m_store)
    for (uint32_t part = 0; part < parts(); ++part)
      m_out.vmovdqu32(registers.cloneAdjusted(static_cast<int32_t>(part) * vector_bytes), data(part));
  move_lanes(registers);
  if (!m_store) load_data(registers);
}

void WarpAccess::load_rows() {
  const uint32_t bytes = m_access.bytes, register_bytes = m_access.register_bytes;
  const x86::Mem rows[2] = {x86::ptr(first_register), second_row()};
  if (bytes == 8) {
    for (uint32_t i = 0; i < 4; ++i)
      m_out.vmovdqu32(data(i), rows[i / 2].cloneAdjusted(static_cast<int32_t>(i % 2) * vector_bytes));
  } else if (bytes == 4) {
    for (uint32_t half = 0; half < 2; ++half) m_out.vmovdqu32(data(half), rows[half]);
  } else if (register_bytes == 4) {
    Id widen = bytes == 2           ? m_access.is_signed ? Inst::kIdVpmovsxwd : Inst::kIdVpmovzxwd
               : m_access.is_signed ? Inst::kIdVpmovsxbd
                                    : Inst::kIdVpmovzxbd;
    for (uint32_t half = 0; half < 2; ++half) m_out.emit(widen, data(half), rows[half]);
  } else if (bytes == 2) {
    m_out.vmovdqu(data(0).ymm(), rows[0]);
    m_out.vinserti64x4(data(0), data(0), rows[1], 1);
  } else {
    Id widen = m_access.is_signed ? Inst::kIdVpmovsxbw : Inst::kIdVpmovzxbw;
    m_out.emit(widen, data(0).ymm(), rows[0]);
    m_out.emit(widen, scratch0.ymm(), rows[1]);
    m_out.vinserti64x4(data(0), data(0), scratch0.ymm(), 1);
  }
}

// Elements of 32 and 64 bits.
void WarpAccess::load_equal_halves() {
  const x86::Mem places[2] = {x86::ptr(first_register), second_row()};
  for (uint32_t half = 0; half < 2; ++half) {
    if (m_access.bytes == 4) {
      m_out.vpbroadcastd(data(half), places[half]);
      continue;
    }
    m_out.vpbroadcastq(data(2 * half), places[half]);
    m_out.vmovdqa32(data(2 * half + 1), data(2 * half));
  }
}

// 16 lanes, as words.
void WarpAccess::load_window(x86::Zmm to, uint32_t half) {
  const int32_t at = window(half);
  m_out.mov(x86::rax, shape(at + WARPLENS_OFFSET(AccessShape::Window, start)));
  m_out.add(x86::rax, first_register);
  m_out.kmovq(mask_scratch0, shape(at + WARPLENS_OFFSET(AccessShape::Window, bytes)));
  m_out.k(mask_scratch0).z().vmovdqu8(scratch0, x86::ptr(x86::rax));
  m_out.vmovdqu32(scratch1, shape(at + WARPLENS_OFFSET(AccessShape::Window, words)));
  m_out.vpermd(to, scratch1, scratch0);
  if (m_access.bytes == 4) return;
  m_out.vpsllvd(to, to, shape(at + WARPLENS_OFFSET(AccessShape::Window, shifts)));
  m_out.emit(m_access.is_signed ? Inst::kIdVpsrad : Inst::kIdVpsrld, to, to,
             asmjit::Imm(32 - 8 * m_access.bytes));
}

void WarpAccess::load_windows() {
  if (m_access.register_bytes == 4) {
    for (uint32_t half = 0; half < 2; ++half) load_window(data(half), half);
    return;
  }
  load_window(scratch2, 0);
  load_window(scratch3, 1);
  m_out.vpmovdw(data(0).ymm(), scratch2);
  m_out.vpmovdw(scratch2.ymm(), scratch3);
  m_out.vinserti64x4(data(0), data(0), scratch2.ymm(), 1);
}

// A lane in the low bits of each word.
x86::Zmm WarpAccess::words_of_half(uint32_t half, x86::Zmm scratch) {
  if (m_access.register_bytes == 4) return data(half);
  x86::Ymm narrow = data(0).ymm();
  if (half == 1) {
    m_out.vextracti64x4(scratch.ymm(), data(0), 1);
    narrow = scratch.ymm();
  }
  m_out.vpmovzxwd(scratch, narrow);
  return scratch;
}

// Two rows of 16 lanes, one after the other: where they overlap, the second is kept.
void WarpAccess::store_rows() {
  const uint32_t bytes = m_access.bytes, register_bytes = m_access.register_bytes;
  const x86::Mem rows[2] = {x86::ptr(first_register), second_row()};
  for (uint32_t half = 0; half < 2; ++half) {
    if (bytes == 8) {
      m_out.vmovdqu32(rows[half], data(2 * half));
      m_out.vmovdqu32(rows[half].cloneAdjusted(vector_bytes), data(2 * half + 1));
    } else if (bytes == 4) {
      m_out.vmovdqu32(rows[half], data(half));
    } else if (register_bytes == 2 && bytes == 2) {
      m_out.vextracti64x4(rows[half], data(0), half);
    } else {
      const x86::Zmm words = words_of_half(half, scratch0);
      m_out.emit(bytes == 2 ? Inst::kIdVpmovdw : Inst::kIdVpmovdb, rows[half], words);
    }
  }
}

// The bytes that belong to no lane stay as they are.
void WarpAccess::store_windows() {
  for (uint32_t half = 0; half < 2; ++half) {
    const int32_t at = window(half);
    m_out.mov(x86::rax, shape(at + WARPLENS_OFFSET(AccessShape::Window, start)));
    m_out.kmovq(mask_scratch0, shape(at + WARPLENS_OFFSET(AccessShape::Window, bytes)));
    m_out.vmovdqu32(scratch1, shape(at + WARPLENS_OFFSET(AccessShape::Window, sources)));
    const x86::Zmm words = words_of_half(half, scratch0);
    m_out.vpermb(scratch0, scratch1, words);
    m_out.k(mask_scratch0).vmovdqu8(x86::ptr(first_register, x86::rax), scratch0);
  }
}

// Whether there is code for all of that form at once.
bool WarpAccess::moves(Form form) const {
  if (form == Form::equal_halves) return !m_store && m_access.bytes >= 4;
  return m_access.bytes <= 4 && (!m_store || m_permutes_bytes);
}

void WarpAccess::store_ones(const x86::Mem& to, uint32_t bytes) {
  m_out.vpbroadcastd(scratch0, m_avx512.word(0x01010101));
  if (bytes == 16) return static_cast<void>(m_out.vmovdqu32(to, scratch0.xmm()));
  if (bytes == 32) return static_cast<void>(m_out.vmovdqu32(to, scratch0.ymm()));
  for (uint32_t at = 0; at < bytes; at += vector_bytes)
    m_out.vmovdqu32(to.cloneAdjusted(static_cast<int32_t>(at)), scratch0);
}

void WarpAccess::take(Form form) {
  if (form != Form::rows) leave_noted_stores();
  check_counts();
  count();
  begin_move();
  if (form == Form::rows) {
    note_rows();
    move_rows();
  } else if (form == Form::equal_halves) {
    load_equal_halves();
  } else if (form == Form::windows) {
    m_store ? store_windows() : load_windows();
  } else {
    move_each_lane();
  }
}

// Equal halves of small elements, and what has windows anyhow, lie in windows as well.
void WarpAccess::move_other_forms(const asmjit::Label& others) {
  m_out.bind(others);
  if (moves(Form::equal_halves)) {
    const asmjit::Label next = m_out.newLabel();
    jump_if_other_form(Form::equal_halves, next);
    take(Form::equal_halves);
    m_out.jmp(m_back);
    m_out.bind(next);
  }
  if (moves(Form::windows)) {
    const asmjit::Label next = m_out.newLabel();
    m_out.cmp(shape(WARPLENS_OFFSET(AccessShape, windowed), 1), 0);
    m_out.jz(next);
    take(Form::windows);
    m_out.jmp(m_back);
    m_out.bind(next);
  }
  if (m_access.bytes >= 4) {
    const asmjit::Label far = m_out.newLabel();
    m_out.cmp(shape(WARPLENS_OFFSET(AccessShape, near), 1), 0);
    m_out.jz(far);
    leave_noted_stores();
    check_counts();
    count();
    begin_move();
    gather_or_scatter();
    m_out.jmp(m_back);
    m_out.bind(far);
  }
  take(Form::scattered);
  m_out.jmp(m_back);
}

// Eight lanes, side by side or in one place.
void WarpAccess::load_quarter(uint32_t quarter, const x86::Mem& from) {
  const uint32_t bytes = m_access.bytes;
  if (bytes == 8)
    return static_cast<void>(
        m_out.emit(m_step == 0 ? Inst::kIdVpbroadcastq : Inst::kIdVmovdqu64, data(quarter), from));
  if (m_access.register_bytes == 2) {
    const x86::Xmm to = quarter == 0 ? data(0).xmm() : scratch0.xmm();
    Id move = bytes == 2 ? Inst::kIdVmovdqu : m_access.is_signed ? Inst::kIdVpmovsxbw : Inst::kIdVpmovzxbw;
    m_out.emit(move, to, from);
    if (quarter != 0) m_out.vinserti32x4(data(0), data(0), to, quarter);
    return;
  }
  Id move = m_step == 0          ? Inst::kIdVpbroadcastd
            : bytes == 4         ? Inst::kIdVmovdqu
            : bytes == 2         ? m_access.is_signed ? Inst::kIdVpmovsxwd : Inst::kIdVpmovzxwd
            : m_access.is_signed ? Inst::kIdVpmovsxbd
                                 : Inst::kIdVpmovzxbd;
  const x86::Zmm to = data(quarter / 2);
  if (quarter % 2 == 0) return static_cast<void>(m_out.emit(move, to.ymm(), from));
  m_out.emit(move, scratch0.ymm(), from);
  m_out.vinserti64x4(to, to, scratch0.ymm(), 1);
}

void WarpAccess::store_quarter(uint32_t quarter, const x86::Mem& to) {
  const uint32_t bytes = m_access.bytes;
  if (bytes == 8) return static_cast<void>(m_out.vmovdqu32(to, data(quarter)));
  if (m_access.register_bytes == 2) {
    m_out.vextracti32x4(scratch0.xmm(), data(0), quarter);
    return static_cast<void>(
        m_out.emit(bytes == 2 ? Inst::kIdVmovdqu : Inst::kIdVpmovwb, to, scratch0.xmm()));
  }
  m_out.vextracti64x4(scratch0.ymm(), data(quarter / 2), quarter % 2);
  Id move = bytes == 4 ? Inst::kIdVmovdqu : bytes == 2 ? Inst::kIdVpmovdw : Inst::kIdVpmovdb;
  m_out.emit(move, to, scratch0.ymm());
}

void WarpAccess::move_quarters() {
  for (uint32_t quarter = 0; quarter < 4; ++quarter)
    m_store ? store_quarter(quarter, row_start(quarter)) : load_quarter(quarter, row_start(quarter));
}

// By the stack, because which lane is the first is only known when the code runs.
void WarpAccess::load_first_active() {
  const x86::Mem kept = x86::ptr(x86::rsp, kept_at);
  const uint32_t parts = m_narrow ? 2 : 4;
  for (uint32_t part = 0; part < parts; ++part)
    m_out.vmovdqu32(kept.cloneAdjusted(static_cast<int32_t>(part) * vector_bytes), lanes(m_addresses[part]));
  x86::Mem first = kept;
  first.setIndex(x64::first_lane, m_narrow ? 2 : 3);
  first.setSize(m_narrow ? 4 : 8);
  m_out.mov(m_narrow ? first_register.r32() : first_register, first);
}

void WarpAccess::compare_active_lanes() {
  constexpr int not_equal = 4;
  const int32_t of_shape =
      m_narrow ? WARPLENS_OFFSET(AccessShape, narrow) : WARPLENS_OFFSET(AccessShape, relative);
  const uint32_t parts = m_narrow ? 2 : 4;
  m_out.emit(m_narrow ? Inst::kIdVpbroadcastd : Inst::kIdVpbroadcastq, scratch0,
             m_narrow ? x86::Gp(x86::eax) : x86::Gp(x86::rax));
  for (uint32_t part = 0; part < parts; ++part) {
    const x86::KReg differs = part == 0 ? mask_scratch0 : mask_scratch1;
    load_active(differs, m_narrow ? 16 : 8, part);
    m_out.emit(m_narrow ? Inst::kIdVpaddd : Inst::kIdVpaddq, scratch1, scratch0,
               shape(of_shape + static_cast<int32_t>(part) * vector_bytes));
    m_out.k(differs).emit(m_narrow ? Inst::kIdVpcmpd : Inst::kIdVpcmpq, differs, scratch1,
                          lanes(m_addresses[part]), asmjit::Imm(not_equal));
    if (part != 0) m_out.korw(mask_scratch0, mask_scratch0, mask_scratch1);
  }
  m_out.kortestw(mask_scratch0, mask_scratch0);
  m_out.jnz(m_cold);
}

// The bits of the active lanes of a part of the warp.
void WarpAccess::load_active(const x86::KReg& to, uint32_t part_lanes, uint32_t part) {
  if (part_lanes == 16) {
    m_out.kmovw(to, active_lanes(2 * part, 2));
  } else {
    m_out.kmovb(to, active_lanes(part, 1));
  }
}

// Masked lanes are not read, so it does not matter what is there.
void WarpAccess::load_active_rows() {
  const uint32_t bytes = m_access.bytes, register_bytes = m_access.register_bytes;
  const x86::Mem rows[2] = {x86::ptr(first_register), second_row()};
  const auto masked = [&](uint32_t part_lanes, uint32_t part) -> x86::Assembler& {
    load_active(mask_scratch0, part_lanes, part);
    return m_out.k(mask_scratch0).z();
  };
  if (bytes == 8) {
    for (uint32_t i = 0; i < 4; ++i)
      masked(8, i).vmovdqu64(data(i), rows[i / 2].cloneAdjusted(static_cast<int32_t>(i % 2) * vector_bytes));
    return;
  }
  if (register_bytes == 4) {
    Id load = bytes == 4           ? Inst::kIdVmovdqu32
              : bytes == 2         ? m_access.is_signed ? Inst::kIdVpmovsxwd : Inst::kIdVpmovzxwd
              : m_access.is_signed ? Inst::kIdVpmovsxbd
                                   : Inst::kIdVpmovzxbd;
    for (uint32_t half = 0; half < 2; ++half) masked(16, half).emit(load, data(half), rows[half]);
    return;
  }
  Id load = bytes == 2 ? Inst::kIdVmovdqu16 : m_access.is_signed ? Inst::kIdVpmovsxbw : Inst::kIdVpmovzxbw;
  masked(16, 0).emit(load, data(0).ymm(), rows[0]);
  masked(16, 1).emit(load, scratch0.ymm(), rows[1]);
  m_out.vinserti64x4(data(0), data(0), scratch0.ymm(), 1);
}

void WarpAccess::store_active_rows() {
  const uint32_t bytes = m_access.bytes, register_bytes = m_access.register_bytes;
  const x86::Mem rows[2] = {x86::ptr(first_register), second_row()};
  if (bytes == 8) {
    for (uint32_t i = 0; i < 4; ++i) {
      load_active(mask_scratch0, 8, i);
      m_out.k(mask_scratch0)
          .vmovdqu64(rows[i / 2].cloneAdjusted(static_cast<int32_t>(i % 2) * vector_bytes), data(i));
    }
    return;
  }
  for (uint32_t half = 0; half < 2; ++half) {
    const auto masked = [&]() -> x86::Assembler& {
      load_active(mask_scratch0, 16, half);
      return m_out.k(mask_scratch0);
    };
    if (register_bytes == 4) {
      Id store = bytes == 4 ? Inst::kIdVmovdqu32 : bytes == 2 ? Inst::kIdVpmovdw : Inst::kIdVpmovdb;
      masked().emit(store, rows[half], data(half));
      continue;
    }
    x86::Ymm words = data(0).ymm();
    if (half == 1) {
      words = scratch0.ymm();
      m_out.vextracti64x4(words, data(0), 1);
    }
    masked().emit(bytes == 2 ? Inst::kIdVmovdqu16 : Inst::kIdVpmovwb, rows[half], words);
  }
}

// All lanes of a half at one place.
void WarpAccess::load_active_places() {
  const x86::Mem places[2] = {x86::ptr(first_register), second_row()};
  for (uint32_t i = 0; i < parts(); ++i) {
    const bool wide = m_access.bytes == 8;
    load_active(mask_scratch0, wide ? 8 : 16, i);
    m_out.k(mask_scratch0)
        .z()
        .emit(wide ? Inst::kIdVpbroadcastq : Inst::kIdVpbroadcastd, data(i), places[2 * i / parts()]);
  }
}

// Elements of 32 and 64 bits. Of lanes at one place, the last one's value stays there (Intel SDM,
// VPSCATTERDD).
void WarpAccess::gather_or_scatter() {
  const bool wide = m_access.bytes == 8;
  for (uint32_t i = 0; i < parts(); ++i) {
    if (!m_is_part) {
      m_out.kxnorw(mask_scratch0, mask_scratch0, mask_scratch0);
    } else {
      load_active(mask_scratch0, wide ? 8 : 16, i);
    }
    const int32_t at = WARPLENS_OFFSET(AccessShape, narrow) +
                       static_cast<int32_t>(i) * (wide ? vector_bytes / 2 : vector_bytes);
    const x86::Vec places = wide ? x86::Vec(scratch0.ymm()) : x86::Vec(scratch0);
    m_out.emit(Inst::kIdVmovdqu32, places, shape(at));
    const x86::Mem memory =
        wide ? x86::ptr(first_register, scratch0.ymm()) : x86::ptr(first_register, scratch0);
    m_out.k(mask_scratch0);
    if (m_store) {
      m_out.emit(wide ? Inst::kIdVpscatterdq : Inst::kIdVpscatterdd, memory, data(i));
    } else {
      m_out.emit(wide ? Inst::kIdVpgatherdq : Inst::kIdVpgatherdd, data(i), memory);
    }
  }
}

void WarpAccess::move_active_by_stack() {
  const x86::Mem registers = x86::ptr(x86::rsp, kept_at);
  if (m_store)
    for (uint32_t part = 0; part < parts(); ++part)
      m_out.vmovdqu32(registers.cloneAdjusted(static_cast<int32_t>(part) * vector_bytes), data(part));
  move_each_active_lane(registers);
  if (!m_store) load_data(registers);
}

void WarpAccess::move_active_lanes() {
  const asmjit::Label others = m_out.newLabel();
  jump_if_other_form(Form::rows, others);
  m_store ? store_active_rows() : load_active_rows();
  m_code.cold_paths.emplace_back([access = shared_from_this(), others] {
    auto& self = static_cast<WarpAccess&>(*access);
    self.m_out.bind(others);
    self.move_active_otherwise();
    self.m_out.jmp(self.m_back);
  });
}

void WarpAccess::move_active_otherwise() {
  if (m_access.bytes < 4) return move_active_by_stack();
  if (!m_store) {
    const asmjit::Label next = m_out.newLabel();
    jump_if_other_form(Form::equal_halves, next);
    load_active_places();
    m_out.jmp(m_back);
    m_out.bind(next);
  }
  const asmjit::Label far = m_out.newLabel();
  m_out.cmp(shape(WARPLENS_OFFSET(AccessShape, near), 1), 0);
  m_out.jz(far);
  gather_or_scatter();
  m_out.jmp(m_back);
  m_out.bind(far);
  move_active_by_stack();
}

// Rows in line, the other forms at the side.
void WarpAccess::move() {
  if (lies_in_quarters()) {
    leave_noted_stores();
    check_counts();
    count();
    begin_move();
    return move_quarters();
  }
  if (const auto form = known_form()) return take(*form);
  const asmjit::Label others = m_out.newLabel();
  jump_if_other_form(Form::rows, others);
  take(Form::rows);
  m_code.cold_paths.emplace_back(
      [access = shared_from_this(), others] { static_cast<WarpAccess&>(*access).move_other_forms(others); });
}

}  // namespace

void WarpCode::write_access(const Instruction& i) { std::make_shared<WarpAccess>(*this, i)->write(); }

}  // namespace warplens::exec::jit::avx512
