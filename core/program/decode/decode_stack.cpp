// alloca, stacksave and stackrestore, PTX ISA 9.7.17.
#include <bit>

#include "core/program/decode/families.h"
#include "core/program/op/call_op.h"

namespace warplens::program {

void decode_stack(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  const auto operands = emitter.operands(instruction);
  const uint32_t bits = register_bits(selector_of(instruction, emitter.modifiers(instruction)).type);
  StackOp stack;
  stack.is_narrow = bits == 32;
  Routine routine = Routine::alloca;
  if (instruction.opcode == Opcode::stackrestore) {
    routine = Routine::stack_restore;
    stack.operand = emitter.source(operands[0], bits);
  } else {
    stack.result = emitter.destination(operands[0]);
    if (instruction.opcode == Opcode::stacksave) routine = Routine::stack_save;
    if (operands.size() > 1) stack.operand = emitter.source(operands[1], bits);
    if (operands.size() > 2) stack.alignment = operands[2].bits;
  }
  const bool is_valid = std::has_single_bit(stack.alignment) && stack.alignment <= 65536;
  if (stack.operand == no_slot || stack.result == no_slot || !is_valid) return emitter.refuse(instruction);
  Op op{.handlers = emitter.routine(routine)};
  stack.write(op);
  emitter.append_guarded(index, instruction, op);
}

}  // namespace warplens::program
