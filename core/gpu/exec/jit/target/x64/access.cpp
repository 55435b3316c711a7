#include "core/gpu/exec/jit/target/x64/access.h"
#include "core/gpu/exec/state/counters.h"

#include "core/gpu/exec/state/trace_log.h"

namespace warplens::exec::jit::x64 {

// What was seen of a row, or of a register of addresses that is the same since, is not compared again.
AccessCode::Seen AccessCode::find_seen() {
  if (m_i.sources[0] == no_value) return {};
  if (m_step) return {m_code.place_of_step({*m_step, m_narrow ? 4u : 8u, m_rows}), true};
  const auto place = m_code.place_of_shape(shape_key());
  return place ? Seen{place->first, place->second} : Seen{};
}

// That the lanes lie as the shape in rdx does. Where none is known it is null, as what was seen is then, and
// the reach is empty.
void AccessCode::check_shape(const asmjit::Label& differs) {
  const auto test = [this, differs] {
    m_out.test(shape_register, shape_register);
    m_out.jz(differs);
  };
  if (m_i.sources[0] == no_value) return test();
  if (!m_seen.place || !m_seen.is_known) {
    test();
    compare_lanes(differs);
    if (m_seen.place) m_out.mov(*m_seen.place, shape_register);
    return;
  }
  const asmjit::Label other = m_out.newLabel(), same = m_out.newLabel();
  m_out.cmp(shape_register, *m_seen.place);
  m_out.jnz(other);
  m_out.bind(same);
  m_code.cold_paths.emplace_back([access = shared_from_this(), test, differs, other, same] {
    Assembler& out = access->m_out;
    out.bind(other);
    test();
    access->compare_lanes(differs);
    out.mov(*access->m_seen.place, shape_register);
    out.jmp(same);
  });
}

// rcx: the first lane's register.
void AccessCode::load_first_lane() {
  if (!m_step) return load_first();
  x86::Mem first = m_code.row(m_i.sources[0]);
  first.setSize(m_narrow ? 4 : 8);
  m_out.mov(m_narrow ? first_register.r32() : first_register, first);
}

// rcx: the first lane's address.
void AccessCode::find_first() {
  const auto offset = offset_of(m_i);
  if (m_i.sources[0] == no_value) return static_cast<void>(m_out.mov(first_register, offset));
  load_first_lane();
  add_offset();
}

void AccessCode::add_offset() {
  const auto offset = offset_of(m_i);
  if (m_access.is_in_short_space()) return add_in_short_space();
  if (offset == 0) return;
  if (offset == static_cast<int32_t>(offset)) {
    m_out.add(first_register, static_cast<int32_t>(offset));
  } else {
    m_out.mov(x86::rsi, static_cast<uint64_t>(offset));
    m_out.add(first_register, x86::rsi);
  }
}

// As in program::in_short_space().
void AccessCode::add_in_short_space() {
  const auto low = static_cast<int32_t>(m_i.number);
  const uint64_t window = m_i.number >> 32 << 32;
  if (low != 0) {
    m_out.add(first_register.r32(), low);
  } else if (!m_narrow) {
    m_out.mov(first_register.r32(), first_register.r32());
  }
  if (window == 0) return;
  m_out.mov(x86::rsi, window);
  m_out.add(first_register, x86::rsi);
}

void AccessCode::check_alignment() {
  if (m_access.bytes == 1) return;
  m_out.test(first_register.r8(), m_access.bytes - 1);
  m_out.jnz(m_cold);
}

// Checks that all bytes lie in the allocation, or in shared memory. rax: the offset from the first allowed
// place.
void AccessCode::check_reach() {
  check_alignment();
  m_out.mov(x86::rax, first_register);
  m_out.sub(x86::rax, reach(WARPLENS_OFFSET(Reach, begin)));
  m_out.cmp(x86::rax, reach(WARPLENS_OFFSET(Reach, count)));
  m_out.jae(m_cold);
}

// Checks the relative offsets of the rows' first lanes, if each row has its own. There is a shape.
void AccessCode::check_rows(const asmjit::Label& differ) {
  if (!m_step || m_rows.firsts() == 1) return;
  const int32_t of_shape =
      m_narrow ? WARPLENS_OFFSET(AccessShape, narrow) : WARPLENS_OFFSET(AccessShape, relative);
  const int32_t bytes = m_narrow ? 4 : 8;
  const x86::Gp far = m_narrow ? x86::Gp(x86::eax) : x86::Gp(x86::rax);
  for (uint32_t row = 1; row < m_rows.rows(); ++row) {
    m_out.mov(far, m_code.row(m_i.sources[0], row));
    m_out.sub(far, m_code.row(m_i.sources[0], 0));
    m_out.cmp(far, shape(of_shape + static_cast<int32_t>(row * m_rows.lanes) * bytes));
    m_out.jnz(differ);
  }
}

// What has to hold before anything is counted.
void AccessCode::check_counts() {
  if (!m_code.asked.observers->counts) return;
  if (m_access.is_shared) {
    m_out.cmp(state(WARPLENS_OFFSET(MemoryOpState, shape_counted), 1), 0);
    m_out.jz(m_cold);
    m_out.mov(x86::eax, first_register.r32());
    m_out.and_(x86::eax, 3);
    m_out.cmp(x86::al, state(WARPLENS_OFFSET(MemoryOpState, shape_phase)));
    m_out.jnz(m_cold);
    return;
  }
  m_out.mov(x86::esi, first_register.r32());
  m_out.and_(x86::esi, AccessShape::line_bytes - 1);
  m_out.movzx(x86::edi, cost(WARPLENS_OFFSET(AccessShape::Cost, sectors), 1));
  m_out.test(x86::edi, x86::edi);
  m_out.jz(m_cold);  // not computed yet
}

// rsi: the first address's offset in its line.
x86::Mem AccessCode::cost(int32_t member, uint32_t size) {
  constexpr uint32_t shift = 3;
  static_assert(sizeof(AccessShape::Cost) == 1 << shift);
  return x86::ptr(shape_register, x86::rsi, shift, WARPLENS_OFFSET(AccessShape, costs) + member, size);
}

// rsi and edi are what check_counts() left.
void AccessCode::count_global() {
  const x86::Ymm added = m_code.scratch();
  const x86::Mem counters = state(WARPLENS_OFFSET(MemoryOpState, requests), 32);
  m_out.vpmovzxbq(added, cost(WARPLENS_OFFSET(AccessShape::Cost, requests), 4));
  m_out.vpaddq(added, added, counters);
  m_out.vmovdqu(counters, added);
  m_out.add(of_block(WARPLENS_OFFSET(BlockContext, block_sectors)), x86::rdi);
  if (is_contiguous()) return;  // which ascends
  m_out.mov(x86::edi, cost(WARPLENS_OFFSET(AccessShape::Cost, steps), 4));
  m_out.sub(steps_register, x86::rdi);
}

void AccessCode::count() {
  if (!m_code.asked.observers->counts) return;
  if (!m_access.is_shared) return count_global();
  m_out.inc(state(WARPLENS_OFFSET(MemoryOpState, requests), 8));
  const x86::Xmm added = m_code.scratch().xmm();
  const x86::Mem counters = state(WARPLENS_OFFSET(MemoryOpState, wavefronts), 16);
  m_out.vpmovzxdq(added, state(WARPLENS_OFFSET(MemoryOpState, pattern_wavefronts), 8));
  m_out.vpaddq(added, added, counters);
  m_out.vmovdqu(counters, added);
}

void AccessCode::leave_noted_stores() {
  if (!m_store || m_access.is_shared) return;
  x86::Mem note = reach(WARPLENS_OFFSET(Reach, note));
  note.setSize(8);
  m_out.cmp(note, 0);
  m_out.jnz(m_cold);
}

void AccessCode::note_rows() {
  if (!m_store || m_access.is_shared) return;
  const asmjit::Label notes = m_out.newLabel(), noted = m_out.newLabel();
  m_out.mov(x86::rax, reach(WARPLENS_OFFSET(Reach, note)));
  m_out.test(x86::rax, x86::rax);
  m_out.jnz(notes);
  m_out.bind(noted);
  m_code.cold_paths.emplace_back([access = shared_from_this(), notes, noted] {
    Assembler& out = access->m_out;
    const uint32_t bytes = AccessShape::half_lanes * access->m_access.bytes;
    out.bind(notes);
    access->store_ones(x86::ptr(first_register, x86::rax), bytes);
    out.add(x86::rax, shape(row_place));
    access->store_ones(x86::ptr(first_register, x86::rax), bytes);
    out.jmp(noted);
  });
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

// Where the first byte of lane 16 is. Overwrites rax.
x86::Mem AccessCode::second_row() {
  if (is_contiguous())
    return x86::ptr(first_register, static_cast<int32_t>(AccessShape::half_lanes * m_access.bytes));
  m_out.mov(x86::rax, shape(row_place));
  m_out.add(x86::rax, first_register);
  return x86::ptr(x86::rax);
}

x86::Mem AccessCode::row_start(uint32_t row) {
  if (row == 0 || m_rows.alike) return x86::ptr(first_register);
  const auto lane = static_cast<int32_t>(row * m_rows.lanes);
  m_out.mov(x86::rax, shape(WARPLENS_OFFSET(AccessShape, relative) + 8 * lane));
  m_out.add(x86::rax, first_register);
  return x86::ptr(x86::rax);
}

std::optional<AccessCode::Form> AccessCode::known_form() const {
  // All lanes have the one address that is known.
  if (m_i.sources[0] == no_value && !m_store && m_access.bytes >= 4) return Form::equal_halves;
  if (!m_step || m_rows.lanes < AccessShape::half_lanes) return {};
  if (lies_side_by_side()) return Form::rows;
  if (m_step == 0 && !m_store && m_access.bytes >= 4) return Form::equal_halves;
  return {};
}

bool AccessCode::lies_in_quarters() const {
  constexpr uint32_t quarter = warp_lanes / 4;
  if (!m_step || m_rows.lanes != quarter) return false;
  return lies_side_by_side() || (m_step == 0 && !m_store && m_access.bytes >= 4);
}

namespace {
x86::Gp part_of_rsi(uint32_t bytes) {
  if (bytes == 8) return x86::rsi;
  if (bytes == 4) return x86::esi;
  if (bytes == 2) return x86::si;
  return x86::sil;
}
}  // namespace

// Lane by lane, in their order: of those at one place the last one stays.
void AccessCode::move_lanes(const x86::Mem& registers) {
  const uint32_t bytes = m_access.bytes, register_bytes = m_access.register_bytes;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    m_out.mov(x86::rax, shape(WARPLENS_OFFSET(AccessShape, relative) + static_cast<int32_t>(8 * lane)));
    const x86::Mem memory = x86::ptr(first_register, x86::rax, 0, 0, bytes);
    x86::Mem of_register = registers.cloneAdjusted(static_cast<int32_t>(lane * register_bytes));
    of_register.setSize(m_store ? bytes : register_bytes);
    if (m_store) {
      const x86::Gp value = part_of_rsi(bytes);
      m_out.mov(value, of_register);
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

// It was noted as made; its handler says whether it is.
void AccessCode::forget_noted() {
  if (!m_code.asked.observers->traced) return;
  const auto of_last = [](int32_t member) {
    return x86::byte_ptr(x86::rax, member - static_cast<int32_t>(sizeof(TracedRun)));
  };
  m_out.mov(x86::rax, of_block(WARPLENS_OFFSET(BlockContext, trace)));
  m_out.mov(x86::rax, x86::ptr(x86::rax, WARPLENS_OFFSET(TraceLog, at)));
  m_out.mov(of_last(WARPLENS_OFFSET(TracedRun, bytes)), 0);
  m_out.mov(of_last(WARPLENS_OFFSET(TracedRun, space)), static_cast<uint8_t>(Space::generic));
}

// The handler, with the frame as it has to be.
void AccessCode::add_cold_path(const GroupedAccesses* accesses) {
  m_code.cold_paths.emplace_back([access = shared_from_this(), put_state = m_code.state_writer(m_i),
                                  keeper = m_code.keeper(m_i), counted = m_code.counted, accesses] {
    Code& code = access->m_code;
    code.assembler.bind(access->m_cold);
    put_state();
    keeper.save();
    access->forget_noted();
    // The op whose own handler notes nothing.
    code.call_handler(code.asked.program->ops.data() + access->m_i.at,
                      !access->m_is_part ? &run_and_learn_shape
                      : !code.is_whole() ? &run_and_learn_part
                      : access->m_step   ? &run_and_learn_part_of_row
                                         : &run_and_learn_part_of_lanes);
    code.assembler.test(x86::rax, x86::rax);
    const asmjit::Label ends = counted.empty() ? code.leave : code.assembler.newLabel();
    code.assembler.jz(ends);
    if (accesses != nullptr) {
      code.assembler.mov(x86::rdi, block_register);
      code.assembler.mov(x86::rsi, asmjit::imm(accesses));
      code.assembler.mov(x86::rax, asmjit::imm(&form_group));
      code.assembler.call(x86::rax);
    }
    keeper.restore();
    access->finish_cold_path();
    code.assembler.jmp(access->m_back);
    if (counted.empty()) return;
    code.assembler.bind(ends);
    code.take_back(counted);
    code.assembler.xor_(x86::eax, x86::eax);
    code.assembler.jmp(code.leave);
  });
}

void AccessCode::load_shape() {
  m_out.mov(shape_register, state(WARPLENS_OFFSET(MemoryOpState, shape) + LearntShape::offset_of_shape()));
}

void AccessCode::write_whole() {
  load_shape();
  check_shape(m_cold);
  find_first();
  check_reach();
  check_rows(m_cold);
  move();
}

void AccessCode::write() {
  m_cold = m_out.newLabel();
  m_back = m_out.newLabel();
  const auto use = m_code.groups.find(&m_i);
  if (m_is_part) {
    write_part();
  } else if (m_seen = find_seen(); use != m_code.groups.end()) {
    write_grouped(use->second);
  } else {
    write_whole();
  }
  m_out.bind(m_back);
  note_moved();
  add_cold_path(use != m_code.groups.end() ? use->second.accesses : nullptr);
}

// By the form of the shape: where it is not this one, `next` follows.
void AccessCode::jump_if_other_form(Form form, const asmjit::Label& next) {
  m_out.cmp(shape(WARPLENS_OFFSET(AccessShape, form), 1), static_cast<uint8_t>(form));
  m_out.jnz(next);
}

}  // namespace warplens::exec::jit::x64
