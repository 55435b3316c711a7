// alloca, stacksave and stackrestore, PTX ISA 9.7.17.
#include "core/program/decode/families.h"

namespace warplens::program {

void decode_stack(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  const auto operands = emitter.operands(instruction);
  const uint32_t bits = register_bits(selector_of(instruction, emitter.modifiers(instruction)).type);
  Op op{.immediate = 8};  // alloca's own alignment, PTX ISA 9.7.17.3
  Routine routine = Routine::alloca;
  if (instruction.opcode == Opcode::stackrestore) {
    routine = Routine::stack_restore;
    op.a = emitter.source(operands[0], bits);
  } else {
    op.d = emitter.destination(operands[0]);
    if (instruction.opcode == Opcode::stacksave) routine = Routine::stack_save;
    if (operands.size() > 1) op.a = emitter.source(operands[1], bits);
    if (operands.size() > 2) op.immediate = static_cast<int64_t>(operands[2].bits);
  }
  const bool power = op.immediate > 0 && (op.immediate & (op.immediate - 1)) == 0 && op.immediate <= 65536;
  if (op.a == no_slot || op.d == no_slot || !power) return emitter.refuse(instruction);
  if (bits == 32) op.flags |= flag_address32;
  op.handlers = emitter.routine(routine);
  emitter.append_guarded(index, instruction, op);
}

}  // namespace warplens::program
