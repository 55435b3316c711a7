// Branches, and what ends a path of a warp. Until patch_branches (passes.h) knows where blocks begin, `jump`,
// `meet` and the tables hold blocks in place of ops.
#include "core/program/decode/families.h"

namespace warplens::program {

namespace {

uint32_t block_at(const Emitter& emitter, uint32_t label) {
  const uint32_t target = emitter.function().labels[label].instruction;
  const auto& block_of = emitter.flow().block_of;
  return target < block_of.size() ? block_of[target] : no_block;
}

// Where the lanes of this block meet again at the latest.
int32_t meeting_block(const Emitter& emitter, uint32_t index) {
  const ControlFlow& flow = emitter.flow();
  return static_cast<int32_t>(flow.blocks[flow.block_of[index]].post_dominator);
}

// The op of a branch that goes where the guard is `taken`.
Op branch_if(Emitter& emitter, uint32_t index, const Instruction& instruction, bool taken) {
  Op op{.handlers = emitter.routine(Routine::branch)};
  if (instruction.guarded) {
    op.flags = flag_guarded | (instruction.guard_negated == taken ? flag_negated : 0);
    op.a = emitter.component_slot(instruction.guard, 255);
  }
  op.state = emitter.counted(index, CountedOp::Kind::branch);
  return op;
}

void end_path(Emitter& emitter, uint32_t index, const Instruction& instruction, Routine end) {
  branch_around(emitter, index, instruction);
  const bool is_breakpoint = instruction.opcode == Opcode::brkpt;
  emitter.append(index, {.handlers = emitter.routine(end), .extra = static_cast<uint8_t>(is_breakpoint)});
}

}  // namespace

void decode_branch(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  Op op = branch_if(emitter, index, instruction, true);
  op.jump = static_cast<int32_t>(block_at(emitter, emitter.operands(instruction)[0].index));
  op.meet = meeting_block(emitter, index);
  emitter.append(index, op);
}

void branch_around(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  if (!instruction.guarded) return;
  Op op = branch_if(emitter, index, instruction, false);
  const uint32_t next = emitter.flow().block_of[index] + 1;
  op.jump = static_cast<int32_t>(next < emitter.flow().blocks.size() ? next : no_block);
  op.meet = static_cast<int32_t>(next);
  emitter.append(index, op);
}

// brx.idx index, table
void decode_branch_table(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  const auto operands = emitter.operands(instruction);
  branch_around(emitter, index, instruction);
  Op op{.handlers = emitter.routine(Routine::branch_table), .a = emitter.source(operands[0], 32)};
  if (op.a == no_slot) return emitter.refuse(instruction);
  op.b = emitter.counted(index, CountedOp::Kind::branch);
  op.state = static_cast<uint32_t>(emitter.program().branch_tables.size());
  op.meet = meeting_block(emitter, index);
  std::vector<uint32_t>& targets = emitter.program().branch_tables.emplace_back();
  for (const uint32_t label : emitter.function().labels[operands[1].index].branch_targets)
    targets.push_back(block_at(emitter, label));
  emitter.append(index, op);
}

void decode_return(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  end_path(emitter, index, instruction, emitter.function().is_entry ? Routine::exit : Routine::ret);
}

void decode_exit(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  end_path(emitter, index, instruction, Routine::exit);
}

// A breakpoint ends the kernel where no debugger is attached, on an H200 too.
void decode_trap(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  end_path(emitter, index, instruction, Routine::trap);
}

}  // namespace warplens::program
