#include "core/program/decode/mbarrier.h"

#include "core/program/decode/families.h"

namespace warplens::program {

namespace {

Modifier barrier_space(std::span<const Modifier> modifiers) {
  return has(modifiers, Modifier::shared_cluster) ? Modifier::shared : space_of(modifiers);
}

}  // namespace

bool append_mbarrier(Emitter& emitter, uint32_t index, const Instruction& instruction, Op op,
                     const Operand& address, Modifier space) {
  op.handlers = emitter.routine(Routine::mbarrier);
  if (!emitter.set_address(op, address, space)) return false;
  if (space == Modifier::weak) op.extra |= mbarrier_generic;
  emitter.append_guarded(index, instruction, op);
  return true;
}

void decode_mbarrier(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  const auto operands = emitter.operands(instruction);
  const auto modifiers = emitter.modifiers(instruction);
  emitter.program().may_spin = true;
  if (has(modifiers, Modifier::pending_count)) {
    const size_t guard = emitter.begin_guard(index, instruction);
    emitter.append(index, {.handlers = emitter.routine(Routine::pending_count),
                           .d = emitter.destination(operands[0]),
                           .a = emitter.source(operands[1], 64)});
    return emitter.finish_guard(guard);
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
  Op op{.d = no_slot, .b = no_slot, .extra = static_cast<uint8_t>(job)};
  if (tries) op.flags |= flag_atomic;
  if (drops) op.extra |= mbarrier_drops;
  if (job == MbarrierJob::arrive && has(modifiers, Modifier::expect_tx)) op.extra |= mbarrier_expects;
  if (has(modifiers, Modifier::no_complete)) op.extra |= mbarrier_incomplete;
  const size_t first = operands[0].kind == OperandKind::address ? 0 : 1;
  if (first == 1) op.d = emitter.destination(operands[0]);
  if (operands.size() > first + 1) {
    op.b = emitter.source(operands[first + 1], job == MbarrierJob::test ? 64 : 32);
    if (op.b == no_slot) return emitter.refuse(instruction);
  }
  if (!append_mbarrier(emitter, index, instruction, op, operands[first], barrier_space(modifiers)))
    emitter.refuse(instruction, "this address cannot be resolved.");
}

}  // namespace warplens::program
