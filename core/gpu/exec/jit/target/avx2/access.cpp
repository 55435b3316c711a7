// Loads and stores between the frame and memory, eight lanes at a time.
#include "core/gpu/exec/jit/target/x64/access.h"
#include "core/gpu/exec/jit/target/avx2/code.h"

namespace warplens::exec::jit::avx2 {

namespace {

using x64::first_register;

class LaneAccess : public x64::AccessCode {
 public:
  LaneAccess(LaneCode& code, const Instruction& i) : AccessCode(code, i), m_avx2(code) {}

 private:
  uint32_t shape_key() override { return m_avx2.maker(m_i.sources[0]).slot; }
  void compare_lanes(const asmjit::Label& differ) override;
  void load_first() override;
  void move() override;
  void store_ones(const x86::Mem& to, uint32_t bytes) override;
  void load_first_active() override;
  void compare_active_lanes() override;
  void move_active_lanes() override;
  void load_active(x86::Ymm to, uint32_t part_lanes, uint32_t part);
  void move_active_rows();
  x86::Mem frame_part(uint32_t byte, uint32_t size = 0) const { return of_frame(m_i.slot, byte, size); }
  void check_window_reach();
  x86::Mem strip_of_row(uint32_t strip);
  void move_quarters() override;
  void load_quarter(uint32_t strip, const x86::Mem& from);
  void store_quarter(uint32_t strip, const x86::Mem& to);
  void check_windows();
  void move_rows() override;
  void load_rows();
  void store_rows();
  void pack_bytes(x86::Ymm to);
  bool is_strided() const;
  void load_strided();
  void load_equal_halves() override;
  void load_windows();
  void move_each_lane() { move_lanes(frame_part(0)); }
  void note_moved() override {
    if (!m_store) m_avx2.forget_shapes_of(m_i.slot, 32u * m_access.register_bytes);
  }
  void move_other_forms(const asmjit::Label& others);

  LaneCode& m_avx2;
};

void LaneAccess::load_first() {
  const x86::Mem first = of_frame(m_avx2.maker(m_i.sources[0]).slot, 0, m_narrow ? 4 : 8);
  m_out.mov(m_narrow ? first_register.r32() : first_register, first);
}

void LaneAccess::compare_lanes(const asmjit::Label& differ) {
  const int32_t of_shape =
      m_narrow ? WARPLENS_OFFSET(AccessShape, narrow) : WARPLENS_OFFSET(AccessShape, relative);
  const uint32_t parts = m_narrow ? 4 : 8;
  const Instruction& maker = m_avx2.maker(m_i.sources[0]);
  if (!m_step)
    m_out.emit(m_narrow ? Inst::kIdVpbroadcastd : Inst::kIdVpbroadcastq, scratch0, of_frame(maker.slot));
  m_out.vpxor(scratch2, scratch2, scratch2);
  const uint32_t parts_of_row = parts / m_rows.rows();
  for (uint32_t part = 0; part < parts; ++part) {
    const auto place = static_cast<int32_t>(part) * vector_bytes;
    const int32_t in_row = static_cast<int32_t>(part % parts_of_row) * vector_bytes;
    if (m_rows.firsts() != 1 && in_row == 0)
      m_out.emit(m_narrow ? Inst::kIdVpbroadcastd : Inst::kIdVpbroadcastq, scratch0, shape(of_shape + place));
    m_out.vmovdqu(scratch1, shape(of_shape + place));
    if (m_rows.firsts() != 1)
      m_out.emit(m_narrow ? Inst::kIdVpsubd : Inst::kIdVpsubq, scratch1, scratch1, scratch0);
    if (!m_step) {
      m_out.emit(m_narrow ? Inst::kIdVpaddd : Inst::kIdVpaddq, scratch1, scratch1, scratch0);
      m_out.vpxor(scratch1, scratch1, of_frame(maker.slot, part * vector_bytes));
    } else if (*m_step != 0) {
      m_out.vpxor(scratch1, scratch1, m_avx2.steps.steps(*m_step, m_narrow ? 4 : 8, 0).cloneAdjusted(in_row));
    }
    m_out.vpor(scratch2, scratch2, scratch1);
  }
  m_out.vptest(scratch2, scratch2);
  m_out.jnz(differ);
}

void LaneAccess::load_rows() {
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
void LaneAccess::pack_bytes(x86::Ymm to) {
  if (m_access.register_bytes == 2) {
    for (uint32_t part = 0; part < 2; ++part) {
      m_out.vmovdqu(lanes(part), frame_part(part * vector_bytes));
      m_out.vpand(lanes(part), lanes(part), m_avx2.filled(0x00ff00ff));
    }
    m_out.vpackuswb(to, lanes(0), lanes(1));
    m_out.vpermq(to, to, 0xd8);
    return;
  }
  for (uint32_t part = 0; part < 4; ++part) {
    m_out.vmovdqu(lanes(part), frame_part(part * vector_bytes));
    m_out.vpand(lanes(part), lanes(part), m_avx2.filled(0xff));
  }
  // Each half of a vector is packed separately: groups of four lanes come in the order 0 2 4 6 1 3 5 7.
  m_out.vpackusdw(lanes(0), lanes(0), lanes(1));
  m_out.vpackusdw(lanes(2), lanes(2), lanes(3));
  m_out.vpackuswb(to, lanes(0), lanes(2));
  m_out.vmovdqu(lanes(1), m_avx2.groups_in_order());
  m_out.vpermd(to, lanes(1), to);
}

// Two rows of 16 lanes, one after the other: where they overlap, the second is kept.
void LaneAccess::store_rows() {
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
      m_out.vpand(lanes(part), lanes(part), m_avx2.filled(0xffff));
    }
    m_out.vpackusdw(lanes(0), lanes(0), lanes(1));
    m_out.vpermq(lanes(0), lanes(0), 0xd8);
    m_out.vmovdqu(rows[half], lanes(0));
  }
}

void LaneAccess::move_rows() {
  if (m_store) {
    store_rows();
  } else {
    load_rows();
  }
}

// A row whose eight lanes of a strip lie in 32 bytes, each within one word of them: where a lane's bytes are
// is known.
bool LaneAccess::is_strided() const {
  const int64_t bytes = m_access.bytes;
  return !m_store && m_step && bytes <= 4 && *m_step >= 0 && *m_step % bytes == 0 && *m_step != bytes &&
         7 * *m_step + bytes <= vector_bytes;
}

// Where the bytes of a strip begin. Overwrites rax.
x86::Mem LaneAccess::strip_of_row(uint32_t strip) {
  const uint32_t lane = strip_lanes * strip;
  const auto in_row = static_cast<int32_t>(lane % m_rows.lanes);
  return row_start(lane / m_rows.lanes).cloneAdjusted(in_row * static_cast<int32_t>(*m_step));
}

void LaneAccess::load_strided() {
  std::array<uint32_t, strip_lanes> words{}, shifts{};
  const uint32_t bytes = m_access.bytes;
  for (uint32_t lane = 0; lane < strip_lanes; ++lane) {
    const auto at = lane * static_cast<uint32_t>(*m_step);
    words[lane] = at / 4;
    shifts[lane] = 32 - 8 * bytes - 8 * (at % 4);
  }
  m_out.vmovdqu(scratch0, m_avx2.vector(words));
  if (bytes != 4) m_out.vmovdqu(scratch1, m_avx2.vector(shifts));
  for (uint32_t strip = 0; strip < strips; ++strip) {
    m_out.vpermd(lanes(strip), scratch0, strip_of_row(strip));
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
  for (uint32_t half = 0; half < 2; ++half) {  // each half of a vector is packed separately
    const x86::Ymm low = lanes(2 * half), high = lanes(2 * half + 1);
    m_out.emit(m_access.is_signed ? Inst::kIdVpackssdw : Inst::kIdVpackusdw, low, low, high);
    m_out.vpermq(low, low, 0xd8);
    m_out.vmovdqu(frame_part(half * vector_bytes), low);
  }
}

// Eight lanes, side by side or in one place.
void LaneAccess::load_quarter(uint32_t strip, const x86::Mem& from) {
  const uint32_t bytes = m_access.bytes, register_bytes = m_access.register_bytes;
  const x86::Ymm to = lanes(strip);
  if (m_step == 0) {
    m_out.emit(bytes == 8 ? Inst::kIdVpbroadcastq : Inst::kIdVpbroadcastd, to, from);
    for (uint32_t half = 0; half < bytes / 4; ++half)
      m_out.vmovdqu(frame_part((bytes / 4 * strip + half) * vector_bytes), to);
    return;
  }
  if (bytes >= 4) {
    for (uint32_t half = 0; half < bytes / 4; ++half) {
      m_out.vmovdqu(to, from.cloneAdjusted(static_cast<int32_t>(half) * vector_bytes));
      m_out.vmovdqu(frame_part((bytes / 4 * strip + half) * vector_bytes), to);
    }
    return;
  }
  if (register_bytes == 2) {
    Id move = bytes == 2 ? Inst::kIdVmovdqu : m_access.is_signed ? Inst::kIdVpmovsxbw : Inst::kIdVpmovzxbw;
    m_out.emit(move, to.xmm(), from);
    m_out.vmovdqu(frame_part(strip * vector_bytes / 2), to.xmm());
    return;
  }
  Id widen = bytes == 2           ? m_access.is_signed ? Inst::kIdVpmovsxwd : Inst::kIdVpmovzxwd
             : m_access.is_signed ? Inst::kIdVpmovsxbd
                                  : Inst::kIdVpmovzxbd;
  m_out.emit(widen, to, from);
  m_out.vmovdqu(frame_part(strip * vector_bytes), to);
}

// If the elements are bytes, all lanes are in ymm0.
void LaneAccess::store_quarter(uint32_t strip, const x86::Mem& to) {
  const uint32_t bytes = m_access.bytes, register_bytes = m_access.register_bytes;
  if (bytes == 1) {
    if (strip == 2) m_out.vextracti128(lanes(0).xmm(), lanes(0), 1);
    if (strip % 2 == 0) {
      m_out.vmovq(to, lanes(0).xmm());
    } else {
      m_out.vpextrq(to, lanes(0).xmm(), 1);
    }
    return;
  }
  if (bytes == 2) {
    if (register_bytes == 2) {
      m_out.vmovdqu(lanes(0).xmm(), frame_part(strip * vector_bytes / 2));
    } else {
      m_out.vmovdqu(lanes(0), frame_part(strip * vector_bytes));
      m_out.vpand(lanes(0), lanes(0), m_avx2.filled(0xffff));
      m_out.vextracti128(lanes(1).xmm(), lanes(0), 1);
      m_out.vpackusdw(lanes(0).xmm(), lanes(0).xmm(), lanes(1).xmm());
    }
    return static_cast<void>(m_out.vmovdqu(to, lanes(0).xmm()));
  }
  for (uint32_t half = 0; half < bytes / 4; ++half) {
    m_out.vmovdqu(lanes(half), frame_part((bytes / 4 * strip + half) * vector_bytes));
    m_out.vmovdqu(to.cloneAdjusted(static_cast<int32_t>(half) * vector_bytes), lanes(half));
  }
}

void LaneAccess::move_quarters() {
  if (m_store && m_access.bytes == 1) pack_bytes(lanes(0));
  for (uint32_t strip = 0; strip < strips; ++strip) {
    const x86::Mem place = strip_of_row(strip);
    m_store ? store_quarter(strip, place) : load_quarter(strip, place);
  }
}

// Elements of 32 and 64 bits.
void LaneAccess::load_equal_halves() {
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
void LaneAccess::check_windows() {
  m_out.vpxor(scratch2, scratch2, scratch2);
  for (uint32_t strip = 0; strip < strips; ++strip) {
    const int32_t words = window(strip / 2) + WARPLENS_OFFSET(AccessShape::Window, words) +
                          static_cast<int32_t>(strip % 2) * vector_bytes;
    m_out.vpbroadcastd(scratch0, shape(words));
    m_out.vmovdqu(scratch1, shape(words));
    m_out.vpsubd(lanes(strip), scratch1, scratch0);
    m_out.vpor(scratch2, scratch2, lanes(strip));
  }
  m_out.vptest(scratch2, m_avx2.filled(~7u));
}

// A strip is read whole, so the bytes after its lanes must be in the allocation too. Overwrites rax.
void LaneAccess::check_window_reach() {
  m_out.mov(x86::rax, first_register);
  m_out.sub(x86::rax, reach(WARPLENS_OFFSET(Reach, begin)));
  m_out.add(x86::rax, vector_bytes);
  m_out.cmp(x86::rax, reach(WARPLENS_OFFSET(Reach, count)));
}

// The words' places are in ymm0 to ymm3.
void LaneAccess::load_windows() {
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

// Accesses whose lanes are not in rows. Each form is checked before anything is counted.
void LaneAccess::move_other_forms(const asmjit::Label& others) {
  m_out.bind(others);
  const auto take = [&](void (LaneAccess::*move_lanes_of)()) {
    leave_noted_stores();
    check_counts();
    count();
    begin_move();
    (this->*move_lanes_of)();
    m_out.jmp(m_back);
  };
  if (!m_store && m_access.bytes >= 4) {
    const asmjit::Label next = m_out.newLabel();
    jump_if_other_form(Form::equal_halves, next);
    take(&LaneAccess::load_equal_halves);
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
    take(&LaneAccess::load_windows);
    m_out.bind(next);
  }
  take(&LaneAccess::move_each_lane);
}

void LaneAccess::load_first_active() {
  x86::Mem first = of_frame(m_avx2.maker(m_i.sources[0]).slot, 0, m_narrow ? 4 : 8);
  first.setIndex(x64::first_lane, m_narrow ? 2 : 3);
  m_out.mov(m_narrow ? first_register.r32() : first_register, first);
}

// Ones where lanes are active, eight of 32 bits or four of 64.
void LaneAccess::load_active(x86::Ymm to, uint32_t part_lanes, uint32_t part) {
  const x86::Mem active = of_warp(WARPLENS_OFFSET(Warp, lanes) + static_cast<int32_t>(4 * part_lanes * part));
  if (part_lanes == strip_lanes) {
    m_out.vmovdqu(to, active);
  } else {
    m_out.vpmovsxdq(to, active);
  }
}

void LaneAccess::compare_active_lanes() {
  const int32_t of_shape =
      m_narrow ? WARPLENS_OFFSET(AccessShape, narrow) : WARPLENS_OFFSET(AccessShape, relative);
  const uint32_t parts = m_narrow ? 4 : 8, slot = m_avx2.maker(m_i.sources[0]).slot;
  if (m_narrow) {
    m_out.vmovd(scratch0.xmm(), x86::eax);
    m_out.vpbroadcastd(scratch0, scratch0.xmm());
  } else {
    m_out.vmovq(scratch0.xmm(), x86::rax);
    m_out.vpbroadcastq(scratch0, scratch0.xmm());
  }
  m_out.vpxor(scratch2, scratch2, scratch2);
  for (uint32_t part = 0; part < parts; ++part) {
    m_out.emit(m_narrow ? Inst::kIdVpaddd : Inst::kIdVpaddq, scratch1, scratch0,
               shape(of_shape + static_cast<int32_t>(part) * vector_bytes));
    m_out.vpxor(scratch1, scratch1, of_frame(slot, part * vector_bytes));
    load_active(lanes(0), m_narrow ? strip_lanes : strip_lanes / 2, part);
    m_out.vpand(scratch1, scratch1, lanes(0));
    m_out.vpor(scratch2, scratch2, scratch1);
  }
  m_out.vptest(scratch2, scratch2);
  m_out.jnz(m_cold);
}

// Elements of 32 and 64 bits. The frame's vectors are written whole, because a load waits for a store of its
// parts.
void LaneAccess::move_active_rows() {
  const x86::Mem rows[2] = {x86::ptr(first_register), second_row()};
  const bool wide = m_access.bytes == 8;
  const uint32_t parts = wide ? 8 : 4;
  Id move = wide ? Inst::kIdVpmaskmovq : Inst::kIdVpmaskmovd;
  for (uint32_t part = 0; part < parts; ++part) {
    const x86::Mem memory =
        rows[2 * part / parts].cloneAdjusted(static_cast<int32_t>(part % (parts / 2)) * vector_bytes);
    load_active(scratch0, wide ? strip_lanes / 2 : strip_lanes, part);
    m_out.vmovdqu(scratch1, frame_part(part * vector_bytes));
    if (m_store) {
      m_out.emit(move, memory, scratch0, scratch1);
      continue;
    }
    m_out.emit(move, scratch2, scratch0, memory);
    m_out.vblendvps(scratch1, scratch1, scratch2, scratch0);
    m_out.vmovdqu(frame_part(part * vector_bytes), scratch1);
  }
}

void LaneAccess::move_active_lanes() {
  if (m_access.bytes < 4) return move_each_active_lane(frame_part(0));
  const asmjit::Label others = m_out.newLabel();
  jump_if_other_form(Form::rows, others);
  move_active_rows();
  m_code.cold_paths.emplace_back([access = shared_from_this(), others] {
    auto& self = static_cast<LaneAccess&>(*access);
    self.m_out.bind(others);
    self.move_each_active_lane(self.frame_part(0));
    self.m_out.jmp(self.m_back);
  });
}

void LaneAccess::store_ones(const x86::Mem& to, uint32_t bytes) {
  m_out.vmovdqu(scratch0, m_avx2.filled(0x01010101));
  if (bytes == 16) return static_cast<void>(m_out.vmovdqu(to, scratch0.xmm()));
  for (uint32_t at = 0; at < bytes; at += vector_bytes)
    m_out.vmovdqu(to.cloneAdjusted(static_cast<int32_t>(at)), scratch0);
}

void LaneAccess::move() {
  const asmjit::Label others = m_out.newLabel();
  const std::optional<Form> form = known_form();
  const bool has_one_way = form.has_value() || lies_in_quarters();
  if (is_strided() && !has_one_way) {
    check_window_reach();
    m_out.jae(others);
  } else if (!has_one_way) {
    jump_if_other_form(Form::rows, others);
  }
  const bool in_rows = !lies_in_quarters() && form != Form::equal_halves && !is_strided();
  if (!in_rows) leave_noted_stores();
  check_counts();
  count();
  begin_move();
  if (in_rows) note_rows();
  if (lies_in_quarters()) {
    move_quarters();
  } else if (form == Form::equal_halves) {
    load_equal_halves();
  } else if (is_strided()) {
    load_strided();
  } else {
    move_rows();
  }
  if (!has_one_way)
    m_avx2.cold_paths.emplace_back([access = shared_from_this(), others] {
      static_cast<LaneAccess&>(*access).move_other_forms(others);
    });
}

}  // namespace

void LaneCode::write_access(const Instruction& i) { std::make_shared<LaneAccess>(*this, i)->write(); }

}  // namespace warplens::exec::jit::avx2
