// Branches, and instructions that end a path of a warp. Until patch_branches (passes.h) knows where blocks
// begin, `jump`, `meet` and the tables contain block numbers in place of ops.
#include "core/program/decode/families.h"
#include "core/program/op/flow_op.h"

namespace warplens::program {

namespace {

uint32_t block_at(const Emitter& emitter, uint32_t label) {
  const uint32_t target = emitter.function().labels[label].instruction;
  const auto& block_of = emitter.flow().block_of;
  return target < block_of.size() ? block_of[target] : no_block;
}

// The block where the lanes of this block reconverge at the latest.
int32_t meeting_block(const Emitter& emitter, uint32_t index) {
  const ControlFlow& flow = emitter.flow();
  return static_cast<int32_t>(flow.blocks[flow.block_of[index]].post_dominator);
}

// A branch that is taken if the guard is `taken`.
BranchOp branch_if(Emitter& emitter, uint32_t index, const Instruction& instruction, bool taken) {
  BranchOp branch;
  branch.guarded = instruction.guarded;
  if (instruction.guarded) {
    branch.negated = instruction.guard_negated == taken;
    branch.predicate = emitter.component_slot(instruction.guard, 255);
  }
  branch.counter = emitter.counted(index, CountedOp::Kind::branch);
  return branch;
}

void append_branch(Emitter& emitter, uint32_t index, const BranchOp& branch) {
  Op op{.handlers = emitter.routine(Routine::branch)};
  branch.write(op);
  emitter.append(index, op);
}

void end_path(Emitter& emitter, uint32_t index, const Instruction& instruction, Routine end) {
  branch_around(emitter, index, instruction);
  Op op{.handlers = emitter.routine(end)};
  TrapOp{.is_breakpoint = instruction.opcode == Opcode::brkpt}.write(op);
  emitter.append(index, op);
}

}  // namespace

void decode_branch(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  BranchOp branch = branch_if(emitter, index, instruction, true);
  branch.jump = static_cast<int32_t>(block_at(emitter, emitter.operands(instruction)[0].index));
  branch.meet = meeting_block(emitter, index);
  append_branch(emitter, index, branch);
}

void branch_around(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  if (!instruction.guarded) return;
  BranchOp branch = branch_if(emitter, index, instruction, false);
  const uint32_t next = emitter.flow().block_of[index] + 1;
  branch.jump = static_cast<int32_t>(next < emitter.flow().blocks.size() ? next : no_block);
  branch.meet = static_cast<int32_t>(next);
  append_branch(emitter, index, branch);
}

// brx.idx index, table
void decode_branch_table(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  const auto operands = emitter.operands(instruction);
  branch_around(emitter, index, instruction);
  BranchTableOp branch;
  branch.index = emitter.source(operands[0], 32);
  if (branch.index == no_slot) return emitter.refuse(instruction);
  branch.counter = emitter.counted(index, CountedOp::Kind::branch);
  branch.table = static_cast<uint32_t>(emitter.program().branch_tables.size());
  branch.meet = meeting_block(emitter, index);
  std::vector<uint32_t>& targets = emitter.program().branch_tables.emplace_back();
  for (const uint32_t label : emitter.function().labels[operands[1].index].branch_targets)
    targets.push_back(block_at(emitter, label));
  Op op{.handlers = emitter.routine(Routine::branch_table)};
  branch.write(op);
  emitter.append(index, op);
}

void decode_return(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  end_path(emitter, index, instruction, emitter.function().is_entry ? Routine::exit : Routine::ret);
}

void decode_exit(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  end_path(emitter, index, instruction, Routine::exit);
}

// Without a debugger, a breakpoint ends the kernel, as on an H200.
void decode_trap(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  end_path(emitter, index, instruction, Routine::trap);
}

}  // namespace warplens::program
