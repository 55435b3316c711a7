// Accesses of a group (AccessGroup): the first one checks the register of addresses for all, and counts all.
// Where the check fails, each is an access of its own.
#include <bit>

#include "core/gpu/exec/jit/target/x64/access.h"

namespace warplens::exec::jit::x64 {

namespace {

// In rdi.
x86::Mem group(int32_t member, uint32_t size = 8) { return x86::ptr(x86::rdi, member, size); }

}  // namespace

bool may_be_grouped(Code& code, const Instruction& i) {
  const bool is_narrow = i.opcode == Opcode::load_b32 || i.opcode == Opcode::store_b32;
  if (i.sources[0] == no_value || i.access.is_constant) return false;
  if (i.access.is_shared) {
    const bool has_window = i.number >> 32 != 0;
    if (has_window || i.access.bytes < 4) return false;
  } else if (is_store(i.opcode) || is_narrow) {
    return false;
  }
  if (offset_in_group(i) % i.access.bytes != 0) return false;
  const auto step = code.maker(i.sources[0]).step;
  const bool is_one_place = step == 0 && !is_store(i.opcode) && i.access.bytes >= 4;
  return !step || *step == i.access.bytes || is_one_place;
}

int64_t offset_in_group(const Instruction& i) {
  return i.access.is_shared ? static_cast<int32_t>(i.number) : static_cast<int64_t>(i.number);
}

// rcx: the address of the register's first lane. Overwrites rax.
void AccessCode::check_reach_of_group(const asmjit::Label& fails) {
  if (m_access.bytes > 1) {
    m_out.test(first_register.r8(), m_access.bytes - 1);
    m_out.jnz(fails);
  }
  m_out.mov(x86::rax, first_register);
  m_out.sub(x86::rax, group(WARPLENS_OFFSET(AccessGroup, begin)));
  m_out.cmp(x86::rax, group(WARPLENS_OFFSET(AccessGroup, count)));
  m_out.jae(fails);
}

// Overwrites rax and rsi.
void AccessCode::count_group(const asmjit::Label& fails) {
  if (!m_code.asked.observers->counts) return;
  if (m_access.is_shared) return static_cast<void>(m_out.inc(group(WARPLENS_OFFSET(AccessGroup, hits))));
  // The index is in bytes of the line, and there is a number for each lane's bytes.
  const uint32_t shift = 3 - static_cast<uint32_t>(std::countr_zero(m_access.bytes));
  const auto of_place = [&](int32_t member) { return x86::ptr(x86::rdi, x86::rsi, shift, member, 8); };
  m_out.mov(x86::esi, first_register.r32());
  m_out.and_(x86::esi, AccessGroup::line_bytes - 1);
  m_out.mov(x86::rax, of_place(WARPLENS_OFFSET(AccessGroup, sectors)));
  m_out.test(x86::rax, x86::rax);
  m_out.jz(fails);
  m_out.add(of_block(WARPLENS_OFFSET(BlockContext, block_sectors)), x86::rax);
  m_out.inc(of_place(WARPLENS_OFFSET(AccessGroup, hits)));
}

// rcx: the register's first lane on the host; it is left on the stack for the other members.
void AccessCode::leave_first(const GroupUse& use) {
  if (!is_contiguous()) m_out.mov(use.shape(), shape_register);
  if (!use.may_be_halves()) return static_cast<void>(m_out.mov(use.first(), first_register));
  x86::Mem by_form = use.first();
  by_form.setIndex(x86::rax, 3);
  m_out.movzx(x86::eax, group(WARPLENS_OFFSET(AccessGroup, are_equal_halves), 1));
  m_out.mov(by_form, first_register);
  m_out.xor_(x86::eax, 1);
  m_out.mov(by_form, 0);
}

void AccessCode::check_group(const GroupUse& use, const asmjit::Label& fails) {
  m_out.mov(x86::rdi, state(WARPLENS_OFFSET(MemoryOpState, shape) + LearntShape::offset_of_group()));
  m_out.mov(shape_register, group(WARPLENS_OFFSET(AccessGroup, shape)));
  check_shape(fails);
  load_first_lane();
  if (m_access.is_shared && !m_narrow) m_out.mov(first_register.r32(), first_register.r32());
  check_reach_of_group(fails);
  check_rows(fails);
  count_group(fails);
  if (!is_contiguous()) m_out.sub(steps_register, group(WARPLENS_OFFSET(AccessGroup, steps)));
  if (m_access.is_shared) {
    m_out.add(first_register, of_block(WARPLENS_OFFSET(BlockContext, shared)));
  } else {
    m_out.add(first_register, group(WARPLENS_OFFSET(AccessGroup, origin)));
  }
  leave_first(use);
}

// rcx: the register's first lane on the host.
void AccessCode::move_member(const GroupUse& use, Form form) {
  const int64_t offset = offset_in_group(m_i);
  if (offset == static_cast<int32_t>(offset)) {
    if (offset != 0) m_out.add(first_register, static_cast<int32_t>(offset));
  } else {
    m_out.mov(x86::rax, static_cast<uint64_t>(offset));
    m_out.add(first_register, x86::rax);
  }
  if (!is_contiguous()) m_out.mov(shape_register, use.shape());
  if (lies_in_quarters()) {
    move_quarters();
  } else if (form == Form::rows) {
    move_rows();
  } else {
    load_equal_halves();
  }
}

// At the side: lanes that lie in the other way, and the access alone where the check has failed.
void AccessCode::write_otherwise(const GroupUse& use, const asmjit::Label& halves,
                                 const asmjit::Label& alone) {
  const bool is_first = use.member == 0;
  if (use.may_be_halves()) {
    m_out.bind(halves);
    if (!is_first) {
      m_out.mov(first_register, use.first(true));
      m_out.test(first_register, first_register);
      m_out.jz(alone);
    }
    move_member(use, Form::equal_halves);
    m_out.jmp(m_back);
  }
  m_out.bind(alone);
  if (is_first) {
    m_out.xor_(x86::eax, x86::eax);
    m_out.mov(use.first(), x86::rax);
    if (use.may_be_halves()) m_out.mov(use.first(true), x86::rax);
  }
  write_whole();
  m_out.jmp(m_back);
}

void AccessCode::write_grouped(const GroupUse& use) {
  const asmjit::Label alone = m_out.newLabel(), halves = use.may_be_halves() ? m_out.newLabel() : alone;
  if (use.member == 0) {
    check_group(use, alone);
    if (use.may_be_halves()) {
      m_out.cmp(group(WARPLENS_OFFSET(AccessGroup, are_equal_halves), 1), 0);
      m_out.jnz(halves);
    }
  } else {
    m_out.mov(first_register, use.first());
    m_out.test(first_register, first_register);
    m_out.jz(halves);
  }
  std::erase_if(m_code.counted, [&](const GroupUse& each) { return each.accesses == use.accesses; });
  if (use.member + 1 < use.accesses->members.size())
    m_code.counted.push_back({use.accesses, use.member + 1, use.number});
  move_member(use, known_form().value_or(Form::rows));
  m_code.cold_paths.emplace_back(
      [access = shared_from_this(), use, halves, alone] { access->write_otherwise(use, halves, alone); });
}

}  // namespace warplens::exec::jit::x64
