#include "core/program/decode/passes.h"
#include "core/program/op/flow_op.h"

namespace warplens::program {

namespace {

int32_t distance(size_t from, size_t to) {
  return static_cast<int32_t>(static_cast<int64_t>(to) - static_cast<int64_t>(from));
}

// Whether `second` is a bra, and `first` the comparison of a setp without a guard.
bool is_compared_branch(const Emitter& emitter, const Op& first, const Op& second) {
  if (first.handlers.run[all_lanes] == emitter.table().of(Routine::watch)) return false;
  const auto instruction_of = [&](const Op& op) -> const Instruction& {
    return emitter.function().instructions[op.instruction - emitter.code().first_instruction];
  };
  const Instruction &comparison = instruction_of(first), &branch = instruction_of(second);
  return comparison.opcode == Opcode::setp && !comparison.guarded && branch.opcode == Opcode::bra;
}

}  // namespace

std::vector<size_t> block_starts(const Emitter& emitter) {
  const std::vector<Op>& ops = emitter.program().ops;
  const Handler enter = emitter.table().of(Routine::enter);
  std::vector<size_t> starts;
  for (size_t at = emitter.code().entry_op; at < ops.size(); ++at) {
    if (ops[at].handlers.run[all_lanes] == enter) starts.push_back(at);
  }
  return starts;
}

// A branch back counts as none that only leads to the end.
static void mark_ends(Emitter& emitter) {
  std::vector<Op>& ops = emitter.program().ops;
  const OpsTable& table = emitter.table();
  for (size_t at = ops.size(); at-- > emitter.code().entry_op;) {
    Op& op = ops[at];
    const Handler handler = op.handlers.run[all_lanes];
    const bool passes = handler == table.of(Routine::enter) || handler == table.of(Routine::nothing);
    const bool jumps = handler == table.of(Routine::branch) && !is_guarded(op) && branch_jump(op) > 0;
    if (handler == table.of(Routine::exit))
      op.flags |= flag_leaves;
    else if (passes || jumps)
      op.flags |= ops[at + (jumps ? static_cast<size_t>(branch_jump(op)) : 1)].flags & flag_leaves;
  }
}

void patch_branches(Emitter& emitter) {
  Program& program = emitter.program();
  const OpsTable& table = emitter.table();
  const std::vector<size_t> starts = block_starts(emitter);
  const size_t end = program.ops.size() - 1;  // the exit after the last instruction
  const auto op_of = [&](uint32_t block) { return block == no_block ? end : starts[block]; };
  const auto starts_block = [&](size_t at) {
    return program.ops[at].handlers.run[all_lanes] == table.of(Routine::enter);
  };
  const bool chains = !program.for_stepping;
  for (size_t at = emitter.code().entry_op; at < end; ++at) {
    Op& op = program.ops[at];
    const bool is_table = op.handlers.run[all_lanes] == table.of(Routine::branch_table);
    if (!is_table && op.handlers.run[all_lanes] != table.of(Routine::branch)) continue;
    const auto meet = static_cast<uint32_t>(op.meet);
    op.meet = meet < starts.size() ? distance(at, starts[meet]) : 0;
    if (is_table) {
      for (uint32_t& target : program.branch_tables[op.state]) target = static_cast<uint32_t>(op_of(target));
      continue;
    }
    const size_t target = op_of(static_cast<uint32_t>(op.jump));
    op.jump = distance(at, target);
    if (!chains) continue;
    if (starts_block(at + 1) && starts_block(target)) op.flags |= flag_chained;
    if (Op& before = program.ops[at - 1]; is_compared_branch(emitter, before, op))
      before.flags |= flag_chained;
  }
  mark_ends(emitter);
}

}  // namespace warplens::program
