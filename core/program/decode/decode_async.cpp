// Background copies and what waits for them: cp.async (PTX ISA 9.7.9.25) and mbarrier (9.7.13.15).
#include "core/program/decode/decoder.h"
#include "core/program/op/matrix_op.h"
#include "core/program/op/mbarrier_op.h"

namespace warplens::program {

namespace {

uint8_t job_bits(MbarrierJob job) { return static_cast<uint8_t>(job); }

Modifier barrier_space(std::span<const Modifier> modifiers) {
  return has(modifiers, Modifier::shared_cluster) ? Modifier::shared : space_of(modifiers);
}

}  // namespace

void Decoder::decode_copy(uint32_t index, const Instruction& instruction) {
  const auto operands = m_function.operands_of(instruction);
  const auto modifiers = m_function.modifiers_of(instruction);
  const bool bulk = has(modifiers, Modifier::bulk);
  if (operands.size() >= 3) {
    return bulk ? decode_bulk_copy(index, instruction) : decode_async_copy(index, instruction);
  }
  // Bulk copies are over when they are issued.
  if (bulk) return;
  Op op{.handlers = m_table.both(Routine::wait_group), .immediate = -1};
  if (has(modifiers, Modifier::commit_group)) {
    op.handlers = m_table.both(Routine::commit_group);
  } else if (has(modifiers, Modifier::noinc)) {
    m_program.may_spin = true;
    const Op arrive{.d = no_slot, .b = no_slot, .extra = job_bits(MbarrierJob::async_arrive)};
    if (!append_mbarrier(index, instruction, arrive, operands[0], space_of(modifiers)))
      refuse(instruction, "this address cannot be resolved.");
    return;
  } else if (has(modifiers, Modifier::wait_group)) {
    op.immediate = static_cast<int64_t>(operands[0].bits);
  }
  // Without .noinc, cp.async.mbarrier.arrive adds the arrival that it makes: the copies alone are left.
  const size_t guard = begin_guard(index, instruction);
  append(index, op);
  finish_guard(guard);
}

void Decoder::decode_async_copy(uint32_t index, const Instruction& instruction) {
  const auto operands = m_function.operands_of(instruction);
  const auto modifiers = m_function.modifiers_of(instruction);
  const uint64_t bytes = operands[2].bits;
  const bool bypasses = has(modifiers, Modifier::cg);
  if (bytes != 16 && (bypasses || (bytes != 4 && bytes != 8)))
    return refuse(instruction,
                  bypasses ? "cp.async.cg copies 16 bytes." : "cp.async copies 4, 8 or 16 bytes.");
  Op source_op{.handlers = m_table.matrix(MatrixJob::copy_source), .b = no_slot, .c = no_slot};
  Op target_op{.handlers = m_table.matrix(MatrixJob::copy_target), .flags = flag_store};
  source_op.bytes = target_op.bytes = static_cast<uint8_t>(bytes);
  if (bypasses) target_op.extra |= copy_bypasses;
  // A cache policy is the last operand.
  if (operands.size() > (has(modifiers, Modifier::l2_cache_hint) ? 4 : 3)) {
    const Operand& last = operands[3];
    const bool predicate =
        last.kind == OperandKind::reg && is_predicate(m_function.registers[last.index].type);
    (predicate ? source_op.c : source_op.b) = predicate ? predicate_source(last) : source(last, 32);
    if (last.negated) source_op.flags |= flag_negated;
    if (!predicate && source_op.b == no_slot) return refuse(instruction);
  }
  if (!set_address(source_op, operands[1], Modifier::global) ||
      !set_address(target_op, operands[0], Modifier::shared)) {
    return refuse(instruction, "this address cannot be resolved.");
  }
  source_op.state = counted(index, CountedOp::Kind::access, Space::global, AccessKind::load);
  target_op.state = counted(index, CountedOp::Kind::access, Space::shared, AccessKind::store);
  for (const Op& op : {source_op, target_op}) {
    const size_t guard = begin_guard(index, instruction);
    append(index, op);
    finish_guard(guard);
  }
}

void Decoder::decode_bulk_copy(uint32_t index, const Instruction& instruction) {
  const auto operands = m_function.operands_of(instruction);
  const bool to_global = has(m_function.modifiers_of(instruction), Modifier::bulk_group);
  Op op{.handlers = m_table.both(Routine::bulk_copy), .c = no_slot};
  if (to_global) op.flags |= flag_store;
  m_program.may_spin = true;
  // The addresses as values in 64-bit slots.
  const auto address = [&](const Operand& operand) {
    if (operand.base != OperandKind::reg) {
      const std::optional<uint64_t> known =
          operand.base == OperandKind::symbol ? m_layout.address_of(operand) : operand.bits;
      return known ? m_frame.constant(m_program, *known, 64) : no_slot;
    }
    const ptx::Register& reg = m_function.registers[operand.index];
    const uint32_t slot = component_slot(operand.index, operand.component);
    const uint32_t wide = m_frame.lanes(64);
    Selector s;
    s.opcode = Opcode::cvt;
    s.type = Modifier::u64;
    s.source_type = register_bits(reg.type) == 32 ? Modifier::u32 : Modifier::u64;
    if (register_bits(reg.type) == 32) emit(index, s, {.d = wide, .a = slot});
    s.opcode = Opcode::add;
    s.type = s.source_type = Modifier::u64;
    const uint32_t offset = m_frame.constant(m_program, static_cast<uint64_t>(operand.offset), 64);
    emit(index, s, {.d = wide, .a = register_bits(reg.type) == 32 ? wide : slot, .b = offset});
    return wide;
  };
  op.d = address(operands[0]);
  op.a = address(operands[1]);
  op.b = source(operands[2], 32);
  if (operands.size() > 3) op.c = address(operands[3]);
  if (op.d == no_slot || op.a == no_slot || op.b == no_slot || (operands.size() > 3 && op.c == no_slot))
    return refuse(instruction, "this address cannot be resolved.");
  const size_t guard = begin_guard(index, instruction);
  append(index, op);
  finish_guard(guard);
}

bool Decoder::append_mbarrier(uint32_t index, const Instruction& instruction, Op op, const Operand& address,
                              Modifier space) {
  op.handlers = m_table.both(Routine::mbarrier);
  if (!set_address(op, address, space)) return false;
  if (space == Modifier::weak) op.extra |= mbarrier_generic;
  const size_t guard = begin_guard(index, instruction);
  append(index, op);
  finish_guard(guard);
  return true;
}

void Decoder::decode_mbarrier(uint32_t index, const Instruction& instruction) {
  const auto operands = m_function.operands_of(instruction);
  const auto modifiers = m_function.modifiers_of(instruction);
  m_program.may_spin = true;
  if (has(modifiers, Modifier::pending_count)) {
    const size_t guard = begin_guard(index, instruction);
    append(index, {.handlers = m_table.both(Routine::pending_count),
                   .d = destination(operands[0]),
                   .a = source(operands[1], 64)});
    return finish_guard(guard);
  }
  const bool drops = has(modifiers, Modifier::arrive_drop), tries = has(modifiers, Modifier::try_wait);
  const bool parity = has(modifiers, Modifier::parity);
  MbarrierJob job = MbarrierJob::init;
  if (has(modifiers, Modifier::inval)) job = MbarrierJob::invalidate;
  if (has(modifiers, Modifier::expect_tx)) job = MbarrierJob::expect;
  if (has(modifiers, Modifier::complete_tx)) job = MbarrierJob::complete;
  if (has(modifiers, Modifier::arrive) || drops) job = MbarrierJob::arrive;
  if (has(modifiers, Modifier::test_wait) || tries)
    job = parity ? MbarrierJob::test_parity : MbarrierJob::test;
  Op op{.d = no_slot, .b = no_slot, .extra = job_bits(job)};
  if (tries) op.flags |= flag_atomic;
  if (drops) op.extra |= mbarrier_drops;
  if (job == MbarrierJob::arrive && has(modifiers, Modifier::expect_tx)) op.extra |= mbarrier_expects;
  if (has(modifiers, Modifier::no_complete)) op.extra |= mbarrier_incomplete;
  const size_t first = operands[0].kind == OperandKind::address ? 0 : 1;
  if (first == 1) op.d = destination(operands[0]);
  if (operands.size() > first + 1) {
    op.b = source(operands[first + 1], job == MbarrierJob::test ? 64 : 32);
    if (op.b == no_slot) return refuse(instruction);
  }
  if (!append_mbarrier(index, instruction, op, operands[first], barrier_space(modifiers)))
    refuse(instruction, "this address cannot be resolved.");
}

}  // namespace warplens::program
