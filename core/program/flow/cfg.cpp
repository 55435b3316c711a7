#include "core/program/flow/cfg.h"

#include <algorithm>

namespace warplens::program {

namespace {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::OperandKind;

bool ends_block(const ptx::Function& function, const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::bra:
    case Opcode::brx:
    case Opcode::ret:
    case Opcode::exit:
    case Opcode::trap:
    case Opcode::brkpt:
    case Opcode::call:
      return true;
    default:
      return is_block_barrier(function, instruction);
  }
}

bool falls_through(const Instruction& instruction) {
  if (instruction.guarded) return true;
  switch (instruction.opcode) {
    case Opcode::bra:
    case Opcode::brx:
    case Opcode::ret:
    case Opcode::exit:
    case Opcode::trap:
    case Opcode::brkpt:
      return false;
    default:
      return true;
  }
}

// Instruction indices that a branch goes to; the end of the function counts as one past the last.
std::vector<uint32_t> branch_targets(const ptx::Function& function, const Instruction& instruction) {
  std::vector<uint32_t> targets;
  if (instruction.opcode != Opcode::bra && instruction.opcode != Opcode::brx) return targets;
  for (const Operand& operand : function.operands_of(instruction)) {
    if (operand.kind != OperandKind::label) continue;
    const ptx::Label& label = function.labels[operand.index];
    if (label.branch_targets.empty()) {
      targets.push_back(label.instruction);
    } else {
      for (uint32_t target : label.branch_targets) targets.push_back(function.labels[target].instruction);
    }
  }
  return targets;
}

void split_into_blocks(const ptx::Function& function, ControlFlow& flow) {
  const auto count = static_cast<uint32_t>(function.instructions.size());
  std::vector<bool> leader(count + 1, false);
  leader[0] = true;
  for (uint32_t i = 0; i < count; ++i) {
    const Instruction& instruction = function.instructions[i];
    if (ends_block(function, instruction)) leader[i + 1] = true;
    for (uint32_t target : branch_targets(function, instruction)) leader[std::min(target, count)] = true;
  }
  flow.block_of.resize(count);
  for (uint32_t i = 0; i < count; ++i) {
    if (leader[i])
      flow.blocks.push_back({.first = i, .count = 0, .successors = {}, .post_dominator = no_block});
    ++flow.blocks.back().count;
    flow.block_of[i] = static_cast<uint32_t>(flow.blocks.size() - 1);
  }
}

void connect(const ptx::Function& function, ControlFlow& flow) {
  const auto count = static_cast<uint32_t>(function.instructions.size());
  for (uint32_t b = 0; b < flow.blocks.size(); ++b) {
    BasicBlock& block = flow.blocks[b];
    const Instruction& last = function.instructions[block.first + block.count - 1];
    if (falls_through(last) && b + 1 < flow.blocks.size()) block.successors.push_back(b + 1);
    for (uint32_t target : branch_targets(function, last)) {
      if (target < count) block.successors.push_back(flow.block_of[target]);
    }
    std::sort(block.successors.begin(), block.successors.end());
    block.successors.erase(std::unique(block.successors.begin(), block.successors.end()),
                           block.successors.end());
  }
}

void mark_reachable(ControlFlow& flow) {
  flow.reachable.assign(flow.blocks.size(), false);
  std::vector<uint32_t> work{0};
  while (!work.empty()) {
    const uint32_t b = work.back();
    work.pop_back();
    if (flow.reachable[b]) continue;
    flow.reachable[b] = true;
    for (uint32_t s : flow.blocks[b].successors) work.push_back(s);
  }
}

// Blocks in post-order of the reversed graph's depth-first search from the virtual exit; explicit stack,
// since a PTX file may have a hundred thousand blocks in a row.
std::vector<uint32_t> reverse_post_order(const std::vector<std::vector<uint32_t>>& predecessors,
                                         uint32_t exit) {
  std::vector<uint32_t> order;
  std::vector<bool> seen(predecessors.size(), false);
  std::vector<std::pair<uint32_t, size_t>> stack{{exit, 0}};
  seen[exit] = true;
  while (!stack.empty()) {
    auto& [node, next] = stack.back();
    if (next < predecessors[node].size()) {
      const uint32_t p = predecessors[node][next++];
      if (!seen[p]) {
        seen[p] = true;
        stack.emplace_back(p, 0);
      }
    } else {
      order.push_back(node);
      stack.pop_back();
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

// Immediate post-dominators: Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", on the
// reversed graph.
void find_post_dominators(ControlFlow& flow) {
  const auto exit = static_cast<uint32_t>(flow.blocks.size());
  std::vector<std::vector<uint32_t>> predecessors(exit + 1);
  for (uint32_t b = 0; b < exit; ++b) {
    if (flow.blocks[b].successors.empty()) predecessors[exit].push_back(b);
    for (uint32_t s : flow.blocks[b].successors) predecessors[s].push_back(b);
  }
  const std::vector<uint32_t> order = reverse_post_order(predecessors, exit);
  std::vector<uint32_t> rank(exit + 1, no_block), idom(exit + 1, no_block);
  for (uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
  idom[exit] = exit;
  const auto meet = [&](uint32_t a, uint32_t b) {
    while (a != b) {
      while (rank[a] > rank[b]) a = idom[a];
      while (rank[b] > rank[a]) b = idom[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b : order) {
      if (b == exit) continue;
      uint32_t found = flow.blocks[b].successors.empty() ? exit : no_block;
      for (uint32_t s : flow.blocks[b].successors) {
        if (idom[s] == no_block) continue;  // not yet known, or it never reaches the end
        found = found == no_block ? s : meet(found, s);
      }
      if (found != idom[b]) {
        idom[b] = found;
        changed = true;
      }
    }
  }
  for (uint32_t b = 0; b < exit; ++b) {
    flow.blocks[b].post_dominator = idom[b] == exit ? no_block : idom[b];
  }
}

}  // namespace

bool has_loop(const ControlFlow& flow) {
  for (uint32_t block = 0; block < flow.blocks.size(); ++block)
    if (std::ranges::any_of(flow.blocks[block].successors, [&](uint32_t next) { return next <= block; }))
      return true;
  return false;
}

bool is_block_barrier(const ptx::Function& function, const ptx::Instruction& instruction) {
  if (instruction.opcode == Opcode::barrier) return true;
  const auto modifiers = function.modifiers_of(instruction);
  return instruction.opcode == Opcode::bar &&
         std::find(modifiers.begin(), modifiers.end(), ptx::Modifier::warp) == modifiers.end();
}

bool is_collective(const ptx::Function& function, const ptx::Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::shfl:
    case Opcode::vote:
    case Opcode::match:
    case Opcode::redux:
    case Opcode::activemask:
    case Opcode::elect:
      return true;
    case Opcode::bar:
      return !is_block_barrier(function, instruction);
    default:
      return false;
  }
}

bool only_computes(Opcode opcode) {
  switch (ptx::unit_of(opcode)) {
    case ptx::Unit::integer:
    case ptx::Unit::fp32:
    case ptx::Unit::fp64:
    case ptx::Unit::fp16:
    case ptx::Unit::special:
    case ptx::Unit::convert:
    case ptx::Unit::move:
      return true;
    default:
      return false;
  }
}

ControlFlow control_flow_of(const ptx::Function& function) {
  ControlFlow flow;
  if (function.instructions.empty()) return flow;
  split_into_blocks(function, flow);
  connect(function, flow);
  mark_reachable(flow);
  find_post_dominators(flow);
  return flow;
}

}  // namespace warplens::program
