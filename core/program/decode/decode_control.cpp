// Basic blocks, branches, endings and barriers.
#include "core/program/decode/decoder.h"

#include "core/program/flow/step_weight.h"
#include "core/program/op/barrier_op.h"

namespace warplens::program {

void Decoder::decode_block(uint32_t b) {
  const BasicBlock& block = m_flow.blocks[b];
  m_block_op.push_back(m_program.ops.size());
  int64_t weight = 0;
  for (uint32_t i = block.first; i < block.first + block.count; ++i)
    weight += step_weight(m_function, m_function.instructions[i]);
  append(block.first,
         {.handlers = m_table.both(Routine::enter), .state = m_code.first_block + b, .immediate = weight});
  for (uint32_t i = block.first; i < block.first + block.count; ++i) {
    m_current = i;
    const size_t first_op = m_program.ops.size();
    watch_before(i, m_function.instructions[i]);
    decode_instruction(i, m_function.instructions[i]);
    if (m_program.for_stepping && m_program.ops.size() == first_op)
      append(i, {.handlers = m_table.both(Routine::nothing)});
    watch_after(i, m_function.instructions[i]);
  }
  const bool last = b + 1 == m_flow.blocks.size();
  if (last) emit_end();  // falling off the end returns
}

namespace {

// Matrix instructions, and those of before Volta that work together with whoever is there.
bool needs_whole_warp(const Instruction& instruction, std::span<const Modifier> modifiers) {
  switch (instruction.opcode) {
    case Opcode::mma:
    case Opcode::wmma:
    case Opcode::ldmatrix:
    case Opcode::stmatrix:
    case Opcode::movmatrix:
      return true;
    case Opcode::shfl:
    case Opcode::vote:
      return !has(modifiers, Modifier::sync);
    default:
      return false;
  }
}

}  // namespace

void Decoder::decode_instruction(uint32_t index, const Instruction& instruction) {
  if (needs_whole_warp(instruction, m_function.modifiers_of(instruction))) m_program.needs_whole_warps = true;
  if (is_collective(m_function, instruction)) return decode_collective(index, instruction);
  switch (instruction.opcode) {
    case Opcode::bra:
      return decode_branch(index, instruction);
    case Opcode::brx:
      return decode_branch_table(index, instruction);
    case Opcode::call:
      return decode_call(index, instruction);
    case Opcode::ret:
      return decode_ending(index, instruction, m_function.is_entry ? Routine::exit : Routine::ret);
    case Opcode::exit:
      return decode_ending(index, instruction, Routine::exit);
    case Opcode::alloca_:
    case Opcode::stacksave:
    case Opcode::stackrestore:
      return decode_stack(index, instruction);
    case Opcode::isspacep:
      return decode_is_space(index, instruction);
    case Opcode::mapa:
    case Opcode::getctarank:
      return decode_cluster_address(index, instruction);
    case Opcode::brkpt:  // ends the kernel where no debugger is attached, on an H200 too
    case Opcode::trap:
      return decode_ending(index, instruction, Routine::trap);
    case Opcode::tex:
    case Opcode::tld4:
    case Opcode::txq:
    case Opcode::suld:
    case Opcode::sust:
    case Opcode::sured:
    case Opcode::suq:
      return decode_texture(index, instruction);
    case Opcode::bar:
    case Opcode::barrier:
      return decode_barrier(index, instruction);
    case Opcode::membar:
    case Opcode::fence:
    case Opcode::prefetch:
    case Opcode::prefetchu:
    case Opcode::nanosleep:
    case Opcode::pmevent:
    case Opcode::griddepcontrol:
    case Opcode::applypriority:
    case Opcode::discard:
      return;  // nothing that a warp here could observe
    case Opcode::ld:
    case Opcode::ldu:
    case Opcode::st:
      return decode_access(index, instruction);
    case Opcode::atom:
    case Opcode::red:
      return decode_atomic(index, instruction);
    case Opcode::cp:
      return decode_copy(index, instruction);
    case Opcode::mbarrier:
      return decode_mbarrier(index, instruction);
    case Opcode::mma:
      return decode_product(index, instruction);
    case Opcode::wmma:
      if (has(m_function.modifiers_of(instruction), Modifier::mma)) return decode_product(index, instruction);
      return decode_wmma_memory(index, instruction);
    case Opcode::ldmatrix:
    case Opcode::stmatrix:
      return decode_matrix_rows(index, instruction);
    case Opcode::movmatrix:
      return decode_movmatrix(index, instruction);
    case Opcode::setp:
      return decode_setp(index, instruction);
    case Opcode::set:
      return decode_set(index, instruction);
    case Opcode::lop3:
      return decode_lop3(index, instruction);
    case Opcode::createpolicy:
      return decode_createpolicy(index, instruction);
    case Opcode::cvt:
      return decode_cvt(index, instruction);
    case Opcode::cvta:
      return decode_cvta(index, instruction);
    case Opcode::mov:
      return decode_mov(index, instruction);
    case Opcode::selp:
      return decode_selp(index, instruction);
    default:
      if (ptx::unit_of(instruction.opcode) == ptx::Unit::video) return decode_video(index, instruction);
      return decode_plain(index, instruction);
  }
}

void Decoder::decode_branch(uint32_t index, const Instruction& instruction) {
  const Operand& label = m_function.operands_of(instruction)[0];
  const uint32_t target = m_function.labels[label.index].instruction;
  Op op{.handlers = m_table.both(Routine::branch)};
  if (instruction.guarded) {
    op.flags = flag_guarded | (instruction.guard_negated ? flag_negated : 0);
    op.a = component_slot(instruction.guard, 255);
  }
  op.state = counted(index, CountedOp::Kind::branch);
  append(index, op);
  const size_t here = m_program.ops.size() - 1;
  if (m_comparison + 1 == here && !m_program.for_stepping) m_program.ops[m_comparison].flags |= flag_chained;
  const auto& flow = m_flow;
  const uint32_t target_block = target < flow.block_of.size() ? flow.block_of[target] : no_block;
  m_branches.push_back(
      {m_program.ops.size() - 1, target_block, flow.blocks[flow.block_of[index]].post_dominator});
}

// A guarded ret, exit, trap or barrier is a branch around the plain one.
void Decoder::branch_around(uint32_t index, const Instruction& instruction) {
  if (!instruction.guarded) return;
  Op op{.handlers = m_table.both(Routine::branch), .a = component_slot(instruction.guard, 255)};
  op.flags = flag_guarded | (instruction.guard_negated ? 0 : flag_negated);
  op.state = counted(index, CountedOp::Kind::branch);
  append(index, op);
  const uint32_t next = m_flow.block_of[index] + 1;
  m_branches.push_back({m_program.ops.size() - 1, next < m_flow.blocks.size() ? next : no_block, next});
}

void Decoder::decode_ending(uint32_t index, const Instruction& instruction, Routine routine) {
  branch_around(index, instruction);
  const bool is_breakpoint = instruction.opcode == Opcode::brkpt;
  append(index, {.handlers = m_table.both(routine), .extra = static_cast<uint8_t>(is_breakpoint)});
}

void Decoder::decode_barrier(uint32_t index, const Instruction& instruction) {
  const auto modifiers = m_function.modifiers_of(instruction);
  auto operands = m_function.operands_of(instruction);
  const bool reduces = has(modifiers, Modifier::red);
  BarrierKind kind = has(modifiers, Modifier::arrive) ? BarrierKind::arrive : BarrierKind::sync;
  Op op{.handlers = m_table.both(Routine::barrier), .d = no_slot, .b = no_slot, .state = no_slot};
  if (reduces) {
    kind = has(modifiers, Modifier::popc)   ? BarrierKind::popc
           : has(modifiers, Modifier::and_) ? BarrierKind::all
                                            : BarrierKind::any;
    (kind == BarrierKind::popc ? op.d : op.state) = destination(operands[0]);
    op.c = predicate_source(operands.back());
    if (operands.back().negated) op.flags |= flag_negated;
    operands = operands.subspan(1, operands.size() - 2);
  }
  op.a = source(operands[0], 32);
  if (operands.size() > 1) op.b = source(operands[1], 32);
  if (op.a == no_slot) return refuse(instruction);
  op.extra = static_cast<uint8_t>(kind);
  const bool in_registers = std::any_of(operands.begin(), operands.end(), [](const Operand& operand) {
    return operand.kind == OperandKind::reg;
  });
  if (!in_registers) op.flags |= flag_constant;
  if (instruction.opcode == Opcode::bar || has(modifiers, Modifier::aligned)) op.flags |= flag_aligned;
  branch_around(index, instruction);
  append(index, op);
}

void Decoder::patch_branches() {
  const size_t end = m_program.ops.size() - 1;  // the exit behind the last instruction
  const auto op_of = [&](uint32_t block) { return block == no_block ? end : m_block_op[block]; };
  const auto starts_block = [&](size_t at) {
    return m_program.ops[at].handlers.run[all_lanes] == m_table.of(Routine::enter);
  };
  for (const Table& table : m_tables) {
    for (uint32_t& target : m_program.branch_tables[table.index])
      target = static_cast<uint32_t>(op_of(target));
    if (table.meet < m_block_op.size())
      m_program.ops[table.op].meet =
          static_cast<int32_t>(m_block_op[table.meet]) - static_cast<int32_t>(table.op);
  }
  for (const Branch& branch : m_branches) {
    Op& op = m_program.ops[branch.op];
    const size_t target = op_of(branch.target);
    op.jump = static_cast<int32_t>(static_cast<int64_t>(target) - static_cast<int64_t>(branch.op));
    if (!m_program.for_stepping && starts_block(branch.op + 1) && starts_block(target))
      op.flags |= flag_chained;
    if (branch.meet < m_block_op.size()) {
      op.meet = static_cast<int32_t>(static_cast<int64_t>(m_block_op[branch.meet]) -
                                     static_cast<int64_t>(branch.op));
    }
  }
}

}  // namespace warplens::program
