#include "core/program/flow/liveness.h"

#include <algorithm>
#include <numeric>

namespace warplens::program {

namespace {

using ptx::Opcode;
using ptx::Operand;
using ptx::OperandKind;

bool has_destination(Opcode opcode) {
  switch (opcode) {
    case Opcode::st:
    case Opcode::red:
    case Opcode::bra:
    case Opcode::brx:
    case Opcode::prefetch:
    case Opcode::prefetchu:
    case Opcode::applypriority:
    case Opcode::discard:
    case Opcode::nanosleep:
    case Opcode::fence:
    case Opcode::stackrestore:
    case Opcode::sust:
    case Opcode::sured:
      return false;
    default:
      return true;
  }
}

void collect(const ptx::Function& function, const Operand& operand, std::vector<uint32_t>& registers) {
  if (operand.kind == OperandKind::reg) registers.push_back(operand.index);
  if (operand.kind == OperandKind::address && operand.base == OperandKind::reg)
    registers.push_back(operand.index);
  for (const Operand& child : function.children_of(operand)) collect(function, child, registers);
}

bool writes_first_operand(const ptx::Function& function, const ptx::Instruction& instruction) {
  if (!has_destination(instruction.opcode) || instruction.operands == 0) return false;
  // Operands in brackets are read: stmatrix, cp.async, mbarrier.init.
  if (function.operands_of(instruction)[0].kind == OperandKind::address) return false;
  if (instruction.opcode != Opcode::bar && instruction.opcode != Opcode::barrier) return true;
  for (ptx::Modifier modifier : function.modifiers_of(instruction)) {
    if (modifier == ptx::Modifier::red) return true;  // only bar.red has a destination
  }
  return false;
}

using Bits = std::vector<uint64_t>;

}  // namespace

Uses uses_of(const ptx::Function& function, const ptx::Instruction& instruction) {
  Uses uses;
  const auto operands = function.operands_of(instruction);
  const bool writes = writes_first_operand(function, instruction);
  for (size_t i = 0; i < operands.size(); ++i) {
    collect(function, operands[i], i == 0 && writes ? uses.writes : uses.reads);
  }
  if (instruction.guarded) {
    uses.reads.push_back(instruction.guard);
    uses.reads.insert(uses.reads.end(), uses.writes.begin(), uses.writes.end());
  }
  return uses;
}

std::vector<Bits> live_at_starts(const ptx::Function& function, const ControlFlow& flow) {
  const size_t words = (function.registers.size() + 63) / 64;
  // Too large to analyse in bounded memory.
  if (words * flow.blocks.size() > (size_t{1} << 22)) return {};

  std::vector<Bits> live_in(flow.blocks.size(), Bits(words)), reads = live_in, writes = live_in;
  for (size_t b = 0; b < flow.blocks.size(); ++b) {
    for (uint32_t i = 0; i < flow.blocks[b].count; ++i) {
      const Uses uses = uses_of(function, function.instructions[flow.blocks[b].first + i]);
      for (uint32_t r : uses.reads) {
        if (!(writes[b][r / 64] >> (r % 64) & 1)) reads[b][r / 64] |= uint64_t{1} << (r % 64);
      }
      for (uint32_t r : uses.writes) writes[b][r / 64] |= uint64_t{1} << (r % 64);
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = flow.blocks.size(); b-- > 0;) {
      for (size_t w = 0; w < words; ++w) {
        uint64_t out = 0;
        for (uint32_t s : flow.blocks[b].successors) out |= live_in[s][w];
        const uint64_t in = reads[b][w] | (out & ~writes[b][w]);
        changed = changed || in != live_in[b][w];
        live_in[b][w] = in;
      }
    }
  }
  return live_in;
}

std::vector<uint32_t> maybe_uninitialised(const ptx::Function& function, const std::vector<Bits>& live_in) {
  std::vector<uint32_t> all(function.registers.size());
  std::iota(all.begin(), all.end(), 0u);
  if (live_in.empty()) return all;  // then every register is cleared
  std::erase_if(all, [&](uint32_t r) { return !(live_in[0][r / 64] >> (r % 64) & 1); });
  return all;
}

}  // namespace warplens::program
