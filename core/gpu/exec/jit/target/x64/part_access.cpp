// Accesses of warps with some lanes active. The active lanes are compared with the shape, as if lane 0 were
// active too. What the access costs and how far it reaches is kept by mask (AccessShape::Part).
#include <bit>

#include "core/gpu/exec/jit/target/x64/access.h"
#include "core/gpu/exec/state/counters.h"

namespace warplens::exec::jit::x64 {

namespace {

// rsi: the shape, and the place of the part in it.
x86::Mem part(int32_t member, uint32_t size = 0) {
  return x86::ptr(x86::rsi, WARPLENS_OFFSET(AccessShape, parts) + member, size);
}

x86::Mem part_cost(int32_t member, uint32_t size) {
  return part(WARPLENS_OFFSET(AccessShape::Part, cost) + member, size);
}

}  // namespace

// rcx: its address. r8: its number.
void AccessCode::find_first_active() {
  m_out.mov(first_lane.r32(), active_lanes());
  m_out.tzcnt(first_lane.r32(), first_lane.r32());
  if (m_i.sources[0] == no_value) return static_cast<void>(m_out.mov(first_register, m_i.number));
  if (m_step) return find_first_of_row();
  load_first_active();
  m_out.mov(x86::rax, first_register);
  m_out.sub(x86::rax, relative(first_lane));
  compare_active_lanes();
  add_offset();
}

// The lanes of a row lie as the shape does, whether they are active or not.
void AccessCode::find_first_of_row() {
  m_seen = find_seen();
  load_shape();
  check_shape(m_cold);
  check_rows(m_cold);
  x86::Mem row = m_code.row(m_i.sources[0]);
  row.setSize(m_narrow ? 4 : 8);
  m_out.mov(m_narrow ? first_register.r32() : first_register, row);
  if (m_narrow) {
    m_out.add(first_register.r32(),
              x86::ptr(shape_register, first_lane, 2, WARPLENS_OFFSET(AccessShape, narrow), 4));
  } else {
    m_out.add(first_register, relative(first_lane));
  }
  add_offset();
}

// rax: the lowest address. rdi: how many bytes there are from there to the end of the highest lane's.
void AccessCode::check_bounds() {
  m_out.sub(x86::rax, bounds(WARPLENS_OFFSET(Bounds, begin)));
  m_out.mov(x86::r9, bounds(WARPLENS_OFFSET(Bounds, size)));
  m_out.sub(x86::r9, x86::rdi);
  m_out.jc(m_cold);
  m_out.cmp(x86::rax, x86::r9);
  m_out.ja(m_cold);
}

// Finds what is kept for this mask and start, and checks that all active lanes are inside. Then rsi is as
// above.
void AccessCode::find_part() {
  using Part = AccessShape::Part;
  const AccessShape::PartKind kind = part_kind();
  m_out.mov(x86::edi, active_lanes());
  m_out.mov(x86::eax, first_register.r32());
  m_out.and_(x86::eax, AccessShape::phases_of(kind) - 1);
  m_out.or_(x86::eax, AccessShape::phase_of_part(kind, 0));
  m_out.imul(x86::esi, x86::edi, static_cast<int32_t>(AccessShape::mask_factor));
  m_out.imul(x86::r9d, x86::eax, static_cast<int32_t>(AccessShape::phase_factor));
  m_out.add(x86::esi, x86::r9d);
  m_out.shr(x86::esi, AccessShape::part_shift);
  static_assert(sizeof(Part) == 32);
  m_out.shl(x86::esi, 5);
  m_out.shl(x86::rax, 32);
  m_out.or_(x86::rax, x86::rdi);
  const asmjit::Label found = m_out.newLabel();
  const x86::Mem key =
      x86::ptr(shape_register, x86::rsi, 0, WARPLENS_OFFSET(AccessShape, parts) + WARPLENS_OFFSET(Part, key));
  m_out.cmp(x86::rax, key);
  m_out.jz(found);
  for (uint32_t way = 1; way < AccessShape::part_ways; ++way) {
    m_out.xor_(x86::esi, (way ^ (way - 1)) * static_cast<uint32_t>(sizeof(Part)));
    m_out.cmp(x86::rax, key);
    way + 1 < AccessShape::part_ways ? m_out.jz(found) : m_out.jnz(m_cold);
  }
  m_out.bind(found);
  m_out.add(x86::rsi, shape_register);
  m_out.mov(x86::rax, first_register);
  m_out.add(x86::rax, part(WARPLENS_OFFSET(Part, low)));
  m_out.mov(x86::rdi, part(WARPLENS_OFFSET(Part, span)));
  check_bounds();
}

AccessShape::PartKind AccessCode::part_kind() const {
  return kind_of_part(m_code.asked.observers->counts, m_access.is_shared, m_store);
}

void AccessCode::count_part() {
  using Cost = AccessShape::Cost;
  if (!m_code.asked.observers->counts) return;
  const x86::Ymm added = m_code.scratch();
  if (m_access.is_shared) {
    m_out.inc(state(WARPLENS_OFFSET(MemoryOpState, requests), 8));
    const x86::Mem counters = state(WARPLENS_OFFSET(MemoryOpState, wavefronts), 16);
    m_out.vpmovzxbq(added.xmm(), part_cost(WARPLENS_OFFSET(Cost, sectors), 2));
    m_out.vpaddq(added.xmm(), added.xmm(), counters);
    m_out.vmovdqu(counters, added.xmm());
    return;
  }
  const x86::Mem counters = state(WARPLENS_OFFSET(MemoryOpState, requests), 32);
  m_out.vpmovzxbq(added, part_cost(WARPLENS_OFFSET(Cost, requests), 4));
  m_out.vpaddq(added, added, counters);
  m_out.vmovdqu(counters, added);
  m_out.movzx(x86::edi, part_cost(WARPLENS_OFFSET(Cost, sectors), 1));
  m_out.add(of_block(WARPLENS_OFFSET(BlockContext, block_sectors)), x86::rdi);
}

// Rows that are apart ascend: the first active lane is the lowest one.
void AccessCode::check_bounds_of_rows() {
  m_out.mov(x86::eax, active_lanes());
  m_out.lzcnt(x86::eax, x86::eax);
  m_out.xor_(x86::eax, warp_lanes - 1);
  m_out.mov(x86::rdi, relative(x86::rax));
  m_out.sub(x86::rdi, relative(first_lane));
  m_out.add(x86::rdi, m_access.bytes);
  m_out.mov(x86::rax, first_register);
  check_bounds();
}

// Adds the sectors of lanes side by side to r10, and their lines to r11. rdi: the active ones. r9: where the
// first one would be.
void AccessCode::add_sectors_of_row() {
  constexpr uint32_t sector_shift = 5, sectors_of_line = 4;
  const auto shift = static_cast<uint32_t>(std::countr_zero(m_access.bytes)), lanes_of_sector = 32u >> shift;
  m_out.mov(x86::eax, x86::r9d);
  if (shift != 0) m_out.shr(x86::eax, shift);
  m_out.and_(x86::eax, lanes_of_sector - 1);
  m_out.shlx(x86::rdi, x86::rdi, x86::rax);
  const auto gather_bits = [&](uint32_t group) {
    for (uint32_t by = group / 2; by != 0; by /= 2) {
      m_out.mov(x86::rsi, x86::rdi);
      m_out.shr(x86::rsi, by);
      m_out.or_(x86::rdi, x86::rsi);
    }
  };
  gather_bits(lanes_of_sector);
  uint64_t firsts = 0;
  for (uint32_t at = 0; at < 64; at += lanes_of_sector) firsts |= uint64_t{1} << at;
  m_out.mov(x86::rsi, firsts);
  m_out.pext(x86::rdi, x86::rdi, x86::rsi);
  m_out.popcnt(x86::eax, x86::edi);
  m_out.add(x86::r10d, x86::eax);
  m_out.mov(x86::eax, x86::r9d);
  m_out.shr(x86::eax, sector_shift);
  m_out.and_(x86::eax, sectors_of_line - 1);
  m_out.shlx(x86::rdi, x86::rdi, x86::rax);
  gather_bits(sectors_of_line);
  m_out.and_(x86::edi, 0x1111);
  m_out.popcnt(x86::eax, x86::edi);
  m_out.add(x86::r11d, x86::eax);
}

void AccessCode::count_global_rows() {
  const asmjit::Label halves = m_out.newLabel(), added = m_out.newLabel();
  m_out.xor_(x86::r10d, x86::r10d);
  m_out.xor_(x86::r11d, x86::r11d);
  m_out.mov(x86::r9, first_register);
  m_out.sub(x86::r9, relative(first_lane));
  m_out.cmp(shape(WARPLENS_OFFSET(AccessShape, contiguous), 1), 0);
  m_out.jz(halves);
  m_out.mov(x86::edi, active_lanes());
  add_sectors_of_row();
  m_out.bind(added);
  m_out.popcnt(x86::eax, active_lanes());
  if (m_access.bytes != 1) m_out.shl(x86::eax, static_cast<uint32_t>(std::countr_zero(m_access.bytes)));
  m_out.add(x86::eax, 31);
  m_out.shr(x86::eax, 5);
  m_out.inc(state(WARPLENS_OFFSET(MemoryOpState, requests), 8));
  m_out.add(state(WARPLENS_OFFSET(MemoryOpState, sectors), 8), x86::r10);
  m_out.add(state(WARPLENS_OFFSET(MemoryOpState, sectors_ideal), 8), x86::rax);
  m_out.add(state(WARPLENS_OFFSET(MemoryOpState, lines), 8), x86::r11);
  m_out.add(of_block(WARPLENS_OFFSET(BlockContext, block_sectors)), x86::r10);
  m_code.cold_paths.emplace_back([access = shared_from_this(), halves, added] {
    Assembler& out = access->m_out;
    out.bind(halves);
    out.movzx(x86::edi, active_lanes(0, 2));
    access->add_sectors_of_row();
    out.movzx(x86::edi, active_lanes(2, 2));
    out.add(x86::r9, shape(row_place));
    access->add_sectors_of_row();
    out.jmp(added);
  });
}

// Lanes side by side have banks of their own. Two rows meet in a bank where both have an active lane.
void AccessCode::count_shared_rows() {
  m_out.inc(state(WARPLENS_OFFSET(MemoryOpState, requests), 8));
  m_out.inc(state(WARPLENS_OFFSET(MemoryOpState, wavefronts), 8));
  const asmjit::Label halves = m_out.newLabel(), counted = m_out.newLabel();
  m_out.cmp(shape(WARPLENS_OFFSET(AccessShape, contiguous), 1), 0);
  m_out.jz(halves);
  m_out.bind(counted);
  m_code.cold_paths.emplace_back([access = shared_from_this(), halves, counted] {
    Assembler& out = access->m_out;
    out.bind(halves);
    // The distance of the rows in banks.
    out.mov(x86::r9, first_register);
    out.mov(x86::ecx, shape(row_place, 4));
    out.shr(x86::ecx, 2);
    out.movzx(x86::eax, active_lanes(2, 2));
    out.rol(x86::eax, x86::cl);
    out.movzx(x86::edi, active_lanes(0, 2));
    out.xor_(x86::esi, x86::esi);
    out.test(x86::eax, x86::edi);
    out.setnz(x86::sil);
    out.add(access->state(WARPLENS_OFFSET(MemoryOpState, wavefronts), 8), x86::rsi);
    out.add(access->state(WARPLENS_OFFSET(MemoryOpState, conflicts), 8), x86::rsi);
    out.mov(first_register, x86::r9);
    out.jmp(counted);
  });
}

void AccessCode::begin_part() {
  m_out.sub(first_register, relative(first_lane));
  m_out.add(first_register, m_access.is_shared ? of_block(WARPLENS_OFFSET(BlockContext, shared))
                                               : reach(WARPLENS_OFFSET(Reach, origin)));
}

void AccessCode::move_each_active_lane(const x86::Mem& registers) {
  const uint32_t bytes = m_access.bytes, register_bytes = m_access.register_bytes;
  const asmjit::Label next = m_out.newLabel();
  const x86::Gp lane = x86::rsi, rest = x86::edi;
  m_out.mov(rest, active_lanes());
  m_out.bind(next);
  m_out.tzcnt(lane.r32(), rest);
  m_out.mov(x86::rax, relative(lane));
  const x86::Mem memory = x86::ptr(first_register, x86::rax, 0, 0, bytes);
  x86::Mem of_register = registers;
  of_register.setIndex(lane, register_bytes == 8 ? 3 : register_bytes == 4 ? 2 : 1);
  of_register.setSize(m_store ? bytes : register_bytes);
  const auto part_of_r9 = [](uint32_t size) {
    return size == 8   ? x86::Gp(x86::r9)
           : size == 4 ? x86::Gp(x86::r9d)
           : size == 2 ? x86::Gp(x86::r9w)
                       : x86::Gp(x86::r9b);
  };
  if (m_store) {
    m_out.mov(part_of_r9(bytes), of_register);
    m_out.mov(memory, part_of_r9(bytes));
  } else {
    if (bytes >= 4) {
      m_out.mov(part_of_r9(bytes), memory);
    } else if (m_access.is_signed) {
      m_out.movsx(x86::r9d, memory);
    } else {
      m_out.movzx(x86::r9d, memory);
    }
    m_out.mov(of_register, part_of_r9(register_bytes));
  }
  m_out.blsr(rest, rest);
  m_out.jnz(next);
}

// Whether the cost of rows follows from the mask. In shared memory, lanes of 8 bytes take turns.
bool AccessCode::may_count_rows() const {
  return !m_code.asked.observers->counts || !m_access.is_shared || m_access.bytes == 4;
}

void AccessCode::write_part() {
  if (m_code.depth > 1) {  // else no side is empty
    m_out.cmp(active_lanes(), 0);
    m_out.jz(m_back);
  }
  m_out.mov(shape_register, state(WARPLENS_OFFSET(MemoryOpState, shape) + LearntShape::offset_of_shape()));
  m_out.test(shape_register, shape_register);
  m_out.jz(m_cold);
  leave_noted_stores();
  find_first_active();
  check_alignment();
  const asmjit::Label counted = m_out.newLabel(), by_table = m_out.newLabel();
  if (may_count_rows()) {
    m_out.cmp(shape(WARPLENS_OFFSET(AccessShape, rows_apart), 1), 0);
    m_out.jz(by_table);
    check_bounds_of_rows();
    if (m_code.asked.observers->counts) m_access.is_shared ? count_shared_rows() : count_global_rows();
    m_code.cold_paths.emplace_back([access = shared_from_this(), counted, by_table] {
      access->m_out.bind(by_table);
      access->find_part();
      access->count_part();
      access->m_out.jmp(counted);
    });
  } else {
    find_part();
    count_part();
  }
  m_out.bind(counted);
  m_out.sub(steps_register, static_cast<int32_t>(scattered_steps));
  begin_part();
  move_active_lanes();
}

}  // namespace warplens::exec::jit::x64
