// Accesses of warps with some lanes active. The active lanes are compared with the shape, as if lane 0 were active
// too. What the access costs and how far it reaches is kept by mask (AccessShape::Part).
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
  load_first_active();
  m_out.mov(x86::rax, first_register);
  m_out.sub(x86::rax, x86::ptr(shape_register, first_lane, 3, WARPLENS_OFFSET(AccessShape, relative)));
  compare_active_lanes();
  add_offset();
}

// Finds what is kept for this mask and start, and checks that all active lanes are inside. Then rsi is as above.
void AccessCode::find_part() {
  using Kind = AccessShape::PartKind;
  using Part = AccessShape::Part;
  const Kind kind = !m_code.asked.observers->counts ? Kind::uncounted
                    : !m_access.is_shared           ? Kind::global
                    : m_store                       ? Kind::shared_store
                                                    : Kind::shared_load;
  if (m_access.bytes > 1) {
    m_out.test(first_register.r8(), m_access.bytes - 1);
    m_out.jnz(m_cold);
  }
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
  m_out.add(x86::rsi, shape_register);
  m_out.shl(x86::rax, 32);
  m_out.or_(x86::rax, x86::rdi);
  m_out.cmp(x86::rax, part(WARPLENS_OFFSET(Part, key)));
  m_out.jnz(m_cold);
  m_out.mov(x86::rax, first_register);
  m_out.add(x86::rax, part(WARPLENS_OFFSET(Part, low)));
  m_out.sub(x86::rax, bounds(WARPLENS_OFFSET(Bounds, begin)));
  m_out.mov(x86::rdi, bounds(WARPLENS_OFFSET(Bounds, size)));
  m_out.sub(x86::rdi, part(WARPLENS_OFFSET(Part, span)));
  m_out.jc(m_cold);
  m_out.cmp(x86::rax, x86::rdi);
  m_out.ja(m_cold);
}

void AccessCode::count_part() {
  using Cost = AccessShape::Cost;
  if (!m_code.asked.observers->counts || m_access.is_shared) {
    m_out.sub(steps_register, static_cast<int32_t>(scattered_steps));
  } else {
    m_out.mov(x86::edi, part_cost(WARPLENS_OFFSET(Cost, steps), 4));
    m_out.sub(steps_register, x86::rdi);
  }
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

void AccessCode::begin_part() {
  m_out.sub(first_register, x86::ptr(shape_register, first_lane, 3, WARPLENS_OFFSET(AccessShape, relative)));
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
  m_out.mov(x86::rax, x86::ptr(shape_register, lane, 3, WARPLENS_OFFSET(AccessShape, relative)));
  const x86::Mem memory = x86::ptr(first_register, x86::rax, 0, 0, bytes);
  x86::Mem of_register = registers;
  of_register.setIndex(lane, register_bytes == 8 ? 3 : register_bytes == 4 ? 2 : 1);
  of_register.setSize(m_store ? bytes : register_bytes);
  const auto part_of_r9 = [](uint32_t size) {
    return size == 8 ? x86::Gp(x86::r9) : size == 4 ? x86::Gp(x86::r9d) : size == 2 ? x86::Gp(x86::r9w) : x86::Gp(x86::r9b);
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

void AccessCode::write_part() {
  m_out.mov(shape_register, state(WARPLENS_OFFSET(MemoryOpState, shape) + LearntShape::offset_of_shape()));
  m_out.test(shape_register, shape_register);
  m_out.jz(m_cold);
  find_first_active();
  find_part();
  count_part();
  begin_part();
  move_active_lanes();
}

}  // namespace warplens::exec::jit::x64
