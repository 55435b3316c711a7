// Background copies: cp.async, PTX ISA 9.7.9.25.
#include "core/program/decode/families.h"
#include "core/program/decode/mbarrier.h"
#include "core/program/op/matrix_op.h"

namespace warplens::program {

namespace {

void copy_in_background(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  const auto operands = emitter.operands(instruction);
  const auto modifiers = emitter.modifiers(instruction);
  const uint64_t bytes = operands[2].bits;
  const bool bypasses = has(modifiers, Modifier::cg);
  if (bytes != 16 && (bypasses || (bytes != 4 && bytes != 8)))
    return emitter.refuse(instruction,
                          bypasses ? "cp.async.cg copies 16 bytes." : "cp.async copies 4, 8 or 16 bytes.");
  Op source_op{.handlers = emitter.table().matrix(MatrixJob::copy_source), .b = no_slot, .c = no_slot};
  Op target_op{.handlers = emitter.table().matrix(MatrixJob::copy_target), .flags = flag_store};
  source_op.bytes = target_op.bytes = static_cast<uint8_t>(bytes);
  if (bypasses) target_op.extra |= copy_bypasses;
  // A cache policy is the last operand.
  if (operands.size() > (has(modifiers, Modifier::l2_cache_hint) ? 4 : 3)) {
    const Operand& last = operands[3];
    const bool predicate =
        last.kind == OperandKind::reg && is_predicate(emitter.function().registers[last.index].type);
    (predicate ? source_op.c : source_op.b) =
        predicate ? emitter.predicate_source(last) : emitter.source(last, 32);
    if (last.negated) source_op.flags |= flag_negated;
    if (!predicate && source_op.b == no_slot) return emitter.refuse(instruction);
  }
  if (!emitter.set_address(source_op, operands[1], Modifier::global) ||
      !emitter.set_address(target_op, operands[0], Modifier::shared)) {
    return emitter.refuse(instruction, "this address cannot be resolved.");
  }
  source_op.state = emitter.counted(index, CountedOp::Kind::access, Space::global, AccessKind::load);
  target_op.state = emitter.counted(index, CountedOp::Kind::access, Space::shared, AccessKind::store);
  for (const Op& op : {source_op, target_op}) {
    emitter.append_guarded(index, instruction, op);
  }
}

void copy_in_bulk(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  const auto operands = emitter.operands(instruction);
  const bool to_global = has(emitter.modifiers(instruction), Modifier::bulk_group);
  Op op{.handlers = emitter.routine(Routine::bulk_copy), .c = no_slot};
  if (to_global) op.flags |= flag_store;
  emitter.program().may_spin = true;
  // The addresses as values in 64-bit slots.
  const auto address = [&](const Operand& operand) {
    if (operand.base != OperandKind::reg) {
      const std::optional<uint64_t> known =
          operand.base == OperandKind::symbol ? emitter.layout().address_of(operand) : operand.bits;
      return known ? emitter.constant(*known, 64) : no_slot;
    }
    const ptx::Register& reg = emitter.function().registers[operand.index];
    const uint32_t slot = emitter.component_slot(operand.index, operand.component);
    const uint32_t wide = emitter.lanes(64);
    Selector s;
    s.opcode = Opcode::cvt;
    s.type = Modifier::u64;
    s.source_type = register_bits(reg.type) == 32 ? Modifier::u32 : Modifier::u64;
    if (register_bits(reg.type) == 32) emitter.emit(index, s, {.d = wide, .a = slot});
    s.opcode = Opcode::add;
    s.type = s.source_type = Modifier::u64;
    const uint32_t offset = emitter.constant(static_cast<uint64_t>(operand.offset), 64);
    emitter.emit(index, s, {.d = wide, .a = register_bits(reg.type) == 32 ? wide : slot, .b = offset});
    return wide;
  };
  op.d = address(operands[0]);
  op.a = address(operands[1]);
  op.b = emitter.source(operands[2], 32);
  if (operands.size() > 3) op.c = address(operands[3]);
  if (op.d == no_slot || op.a == no_slot || op.b == no_slot || (operands.size() > 3 && op.c == no_slot))
    return emitter.refuse(instruction, "this address cannot be resolved.");
  emitter.append_guarded(index, instruction, op);
}

}  // namespace

void decode_copy(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  const auto operands = emitter.operands(instruction);
  const auto modifiers = emitter.modifiers(instruction);
  const bool bulk = has(modifiers, Modifier::bulk);
  if (operands.size() >= 3) {
    return bulk ? copy_in_bulk(emitter, index, instruction) : copy_in_background(emitter, index, instruction);
  }
  // Bulk copies are over when they are issued.
  if (bulk) return;
  Op op{.handlers = emitter.routine(Routine::wait_group), .immediate = -1};
  if (has(modifiers, Modifier::commit_group)) {
    op.handlers = emitter.routine(Routine::commit_group);
  } else if (has(modifiers, Modifier::noinc)) {
    emitter.program().may_spin = true;
    const Op arrive{.d = no_slot, .b = no_slot, .extra = static_cast<uint8_t>(MbarrierJob::async_arrive)};
    if (!append_mbarrier(emitter, index, instruction, arrive, operands[0], space_of(modifiers)))
      emitter.refuse(instruction, "this address cannot be resolved.");
    return;
  } else if (has(modifiers, Modifier::wait_group)) {
    op.immediate = static_cast<int64_t>(operands[0].bits);
  }
  // Without .noinc, cp.async.mbarrier.arrive adds the arrival that it makes: the copies alone are left.
  emitter.append_guarded(index, instruction, op);
}

}  // namespace warplens::program
