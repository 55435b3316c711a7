// cvta, isspacep, and addresses within a cluster.
#include "core/program/decode/families.h"
#include "core/program/op/address_space.h"
#include "core/program/op/memory_op.h"

namespace warplens::program {

void decode_cvta(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  const auto operands = emitter.operands(instruction);
  const auto modifiers = emitter.modifiers(instruction);
  const Selector s = selector_of(instruction, modifiers);
  if (register_bits(s.type) != 64)
    return emitter.refuse(instruction, "32-bit generic addresses do not exist on the GPUs of today.");
  const Modifier space = space_of(modifiers);
  const uint32_t a = emitter.source(operands[1], 64);
  const uint32_t d = emitter.destination(operands[0]);
  if (a == no_slot || d == no_slot) return emitter.refuse(instruction);
  const bool constant = emitter.is_launch_constant(operands[1]);
  const bool stable = constant || (operands[1].kind == OperandKind::reg &&
                                   emitter.register_at(operands[1].index).alias != no_slot);
  uint64_t base = space == Modifier::shared  ? shared_window
                  : space == Modifier::local ? local_window
                  : space == Modifier::param ? parameter_window
                                             : 0;
  if (has(modifiers, Modifier::to)) base = 0 - base;
  // Global addresses are generic addresses already.
  if (base == 0 && stable && emitter.rename(instruction, operands[0], a, constant)) return;
  const size_t first_op = emitter.next_op();
  const uint32_t b = emitter.constant(base, 64);
  if (!emitter.emit_guarded(index, instruction, s, {.d = d, .a = a, .b = b}))
    return emitter.refuse(instruction);
  emitter.hoist_if_constant(first_op, instruction, operands[0], operands.subspan(1));
}

void decode_is_space(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  const auto operands = emitter.operands(instruction);
  if (emitter.bits_of_register(operands[1]) != 64)
    return emitter.refuse(instruction, "32-bit generic addresses do not exist on the GPUs of today.");
  const Modifier space = space_of(emitter.modifiers(instruction));
  const uint64_t window = space == Modifier::shared     ? shared_window
                          : space == Modifier::local    ? local_window
                          : space == Modifier::param    ? parameter_window
                          : space == Modifier::constant ? constant_window
                                                        : 0;
  Op op{.handlers = emitter.routine(Routine::is_space)};
  SpaceTestOp{.result = emitter.destination(operands[0]),
              .address = emitter.source(operands[1], 64),
              .window = window}
      .write(op);
  emitter.append_guarded(index, instruction, op);
}

// A cluster is a single block: every address is in its own block, and its rank is 0.
void decode_cluster_address(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  const auto operands = emitter.operands(instruction);
  const uint32_t bits = emitter.bits_of_register(operands[0]);
  const bool is_rank = instruction.opcode == Opcode::getctarank;
  const uint32_t a = is_rank ? emitter.constant(0, 32) : emitter.source(operands[1], bits);
  if (a == no_slot) return emitter.refuse(instruction);
  const size_t guard = emitter.begin_guard(index, instruction);
  emitter.copy(index, bits == 64 ? 64 : 32, emitter.destination(operands[0]), a);
  emitter.finish_guard(guard);
}

}  // namespace warplens::program
