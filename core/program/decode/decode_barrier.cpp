// bar and barrier, PTX ISA 9.7.13.1.
#include <algorithm>

#include "core/program/decode/families.h"
#include "core/program/op/barrier_op.h"

namespace warplens::program {

namespace {

BarrierKind barrier_kind(std::span<const Modifier> modifiers) {
  if (has(modifiers, Modifier::red)) {
    if (has(modifiers, Modifier::popc)) return BarrierKind::popc;
    return has(modifiers, Modifier::and_) ? BarrierKind::all : BarrierKind::any;
  }
  return has(modifiers, Modifier::arrive) ? BarrierKind::arrive : BarrierKind::sync;
}

}  // namespace

void decode_barrier(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  // bar.warp.sync
  if (is_collective(emitter.function(), instruction)) return decode_collective(emitter, index, instruction);
  const auto modifiers = emitter.modifiers(instruction);
  auto operands = emitter.operands(instruction);
  BarrierOp barrier;
  barrier.kind = barrier_kind(modifiers);
  if (reduces(barrier.kind)) {
    barrier.result = emitter.destination(operands[0]);
    barrier.predicate = emitter.predicate_source(operands.back());
    barrier.negated = operands.back().negated;
    operands = operands.subspan(1, operands.size() - 2);
  }
  barrier.number = emitter.source(operands[0], 32);
  if (operands.size() > 1) barrier.threads = emitter.source(operands[1], 32);
  if (barrier.number == no_slot) return emitter.refuse(instruction);
  barrier.are_constants = std::none_of(operands.begin(), operands.end(), [](const Operand& operand) {
    return operand.kind == OperandKind::reg;
  });
  barrier.aligned = instruction.opcode == Opcode::bar || has(modifiers, Modifier::aligned);
  Op op{.handlers = emitter.routine(Routine::barrier)};
  barrier.write(op);
  branch_around(emitter, index, instruction);
  emitter.append(index, op);
}

}  // namespace warplens::program
