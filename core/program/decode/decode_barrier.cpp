// bar and barrier, PTX ISA 9.7.13.1.
#include <algorithm>

#include "core/program/decode/families.h"
#include "core/program/op/barrier_op.h"

namespace warplens::program {

void decode_barrier(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  // bar.warp.sync
  if (is_collective(emitter.function(), instruction)) return decode_collective(emitter, index, instruction);
  const auto modifiers = emitter.modifiers(instruction);
  auto operands = emitter.operands(instruction);
  const bool reduces = has(modifiers, Modifier::red);
  BarrierKind kind = has(modifiers, Modifier::arrive) ? BarrierKind::arrive : BarrierKind::sync;
  Op op{.handlers = emitter.routine(Routine::barrier), .d = no_slot, .b = no_slot, .state = no_slot};
  if (reduces) {
    kind = has(modifiers, Modifier::popc)   ? BarrierKind::popc
           : has(modifiers, Modifier::and_) ? BarrierKind::all
                                            : BarrierKind::any;
    (kind == BarrierKind::popc ? op.d : op.state) = emitter.destination(operands[0]);
    op.c = emitter.predicate_source(operands.back());
    if (operands.back().negated) op.flags |= flag_negated;
    operands = operands.subspan(1, operands.size() - 2);
  }
  op.a = emitter.source(operands[0], 32);
  if (operands.size() > 1) op.b = emitter.source(operands[1], 32);
  if (op.a == no_slot) return emitter.refuse(instruction);
  op.extra = static_cast<uint8_t>(kind);
  const bool in_registers = std::any_of(operands.begin(), operands.end(), [](const Operand& operand) {
    return operand.kind == OperandKind::reg;
  });
  if (!in_registers) op.flags |= flag_constant;
  if (instruction.opcode == Opcode::bar || has(modifiers, Modifier::aligned)) op.flags |= flag_aligned;
  branch_around(emitter, index, instruction);
  emitter.append(index, op);
}

}  // namespace warplens::program
