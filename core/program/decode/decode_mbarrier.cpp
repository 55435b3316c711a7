#include "core/program/decode/mbarrier.h"

#include "core/program/decode/families.h"

namespace warplens::program {

namespace {

Modifier barrier_space(std::span<const Modifier> modifiers) {
  return has(modifiers, Modifier::shared_cluster) ? Modifier::shared : space_of(modifiers);
}

MbarrierJob mbarrier_job(std::span<const Modifier> modifiers) {
  if (has(modifiers, Modifier::test_wait) || has(modifiers, Modifier::try_wait))
    return has(modifiers, Modifier::parity) ? MbarrierJob::test_parity : MbarrierJob::test;
  if (has(modifiers, Modifier::arrive) || has(modifiers, Modifier::arrive_drop)) return MbarrierJob::arrive;
  if (has(modifiers, Modifier::complete_tx)) return MbarrierJob::complete;
  if (has(modifiers, Modifier::expect_tx)) return MbarrierJob::expect;
  return has(modifiers, Modifier::inval) ? MbarrierJob::invalidate : MbarrierJob::init;
}

}  // namespace

void append_mbarrier(Emitter& emitter, uint32_t index, const Instruction& instruction, MbarrierOp mbarrier,
                     const Operand& address, Modifier space) {
  mbarrier.generic = space == Modifier::weak;
  Op op{.handlers = emitter.routine(Routine::mbarrier)};
  mbarrier.write(op);
  if (!emitter.set_address(op, address, space))
    return emitter.refuse(instruction, "this address cannot be resolved.");
  emitter.append_guarded(index, instruction, op);
}

void decode_mbarrier(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  const auto operands = emitter.operands(instruction);
  const auto modifiers = emitter.modifiers(instruction);
  emitter.program().may_spin = true;
  if (has(modifiers, Modifier::pending_count)) {
    const size_t guard = emitter.begin_guard(index, instruction);
    Op op{.handlers = emitter.routine(Routine::pending_count)};
    PendingCountOp{.result = emitter.destination(operands[0]), .token = emitter.source(operands[1], 64)}
        .write(op);
    emitter.append(index, op);
    return emitter.finish_guard(guard);
  }
  MbarrierOp mbarrier;
  mbarrier.job = mbarrier_job(modifiers);
  mbarrier.tries = has(modifiers, Modifier::try_wait);
  mbarrier.drops = has(modifiers, Modifier::arrive_drop);
  mbarrier.expects = mbarrier.job == MbarrierJob::arrive && has(modifiers, Modifier::expect_tx);
  mbarrier.incomplete = has(modifiers, Modifier::no_complete);
  const size_t first = operands[0].kind == OperandKind::address ? 0 : 1;
  if (first == 1) mbarrier.result = emitter.destination(operands[0]);
  if (operands.size() > first + 1) {
    mbarrier.operand = emitter.source(operands[first + 1], mbarrier.job == MbarrierJob::test ? 64 : 32);
    if (mbarrier.operand == no_slot) return emitter.refuse(instruction);
  }
  append_mbarrier(emitter, index, instruction, mbarrier, operands[first], barrier_space(modifiers));
}

}  // namespace warplens::program
