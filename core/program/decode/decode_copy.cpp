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
  CopySourceOp source;
  source.bytes = static_cast<uint8_t>(bytes);
  // A cache policy is the last operand.
  if (operands.size() > (has(modifiers, Modifier::l2_cache_hint) ? 4 : 3)) {
    const Operand& last = operands[3];
    const bool predicate =
        last.kind == OperandKind::reg && is_predicate(emitter.function().registers[last.index].type);
    (predicate ? source.predicate : source.size) =
        predicate ? emitter.predicate_source(last) : emitter.source(last, 32);
    source.negated = last.negated;
    if (!predicate && source.size == no_slot) return emitter.refuse(instruction);
  }
  CopyTargetOp target{.bytes = source.bytes, .bypasses = bypasses};
  source.counter = emitter.counted(index, CountedOp::Kind::copy, Space::global, AccessKind::load);
  target.counter = emitter.counted(index, CountedOp::Kind::copy, Space::shared, AccessKind::store);
  Op source_op{.handlers = emitter.table().matrix(MatrixJob::copy_source)};
  source.write(source_op);
  Op target_op{.handlers = emitter.table().matrix(MatrixJob::copy_target)};
  target.write(target_op);
  if (!emitter.set_address(source_op, operands[1], Modifier::global) ||
      !emitter.set_address(target_op, operands[0], Modifier::shared)) {
    return emitter.refuse(instruction, "this address cannot be resolved.");
  }
  for (const Op& op : {source_op, target_op}) {
    emitter.append_guarded(index, instruction, op);
  }
}

void copy_in_bulk(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  const auto operands = emitter.operands(instruction);
  BulkCopyOp copy;
  copy.to_global = has(emitter.modifiers(instruction), Modifier::bulk_group);
  emitter.program().may_spin = true;
  // The addresses as values in 64-bit slots.
  const auto address = [&](const Operand& operand) {
    if (operand.base != OperandKind::reg) {
      const std::optional<uint64_t> known = operand.base == OperandKind::symbol
                                                ? emitter.layout().address_of(operand)
                                                : operand.bits + static_cast<uint64_t>(operand.offset);
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
  copy.target = address(operands[0]);
  copy.source = address(operands[1]);
  copy.bytes = emitter.source(operands[2], 32);
  if (operands.size() > 3) copy.barrier = address(operands[3]);
  if (copy.target == no_slot || copy.source == no_slot || copy.bytes == no_slot ||
      (operands.size() > 3 && copy.barrier == no_slot))
    return emitter.refuse(instruction, "this address cannot be resolved.");
  Op op{.handlers = emitter.routine(Routine::bulk_copy)};
  copy.write(op);
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
  // Bulk copies are complete when they are issued.
  if (bulk) return;
  if (has(modifiers, Modifier::noinc)) {
    emitter.program().may_spin = true;
    const MbarrierOp arrive{.job = MbarrierJob::async_arrive};
    return append_mbarrier(emitter, index, instruction, arrive, operands[0], space_of(modifiers));
  }
  if (has(modifiers, Modifier::commit_group))
    return emitter.append_guarded(index, instruction, {.handlers = emitter.routine(Routine::commit_group)});
  Op op{.handlers = emitter.routine(Routine::wait_group)};
  WaitGroupOp wait;
  if (has(modifiers, Modifier::wait_group))
    wait = {.all = false, .newest = static_cast<uint32_t>(operands[0].bits)};
  wait.write(op);
  // Without .noinc, cp.async.mbarrier.arrive also adds the arrival that it makes, so only the copies remain
  // to wait for.
  emitter.append_guarded(index, instruction, op);
}

}  // namespace warplens::program
