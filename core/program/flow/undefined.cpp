#include "core/program/flow/undefined.h"

#include <algorithm>

#include "core/program/flow/cfg.h"

namespace warplens::program {

using ptx::Opcode;

bool may_discard(const ptx::Function& function, const ptx::Instruction& instruction) {
  using ptx::Modifier;
  const auto modifiers = function.modifiers_of(instruction);
  const auto has = [&](Modifier wanted) { return std::ranges::find(modifiers, wanted) != modifiers.end(); };
  if (instruction.opcode == Opcode::setp) return has(Modifier::and_) || has(Modifier::or_);
  return (instruction.opcode == Opcode::and_ || instruction.opcode == Opcode::or_) && has(Modifier::pred);
}

UndefinedUse use_of_undefined(const ptx::Function& function, const ptx::Instruction& instruction,
                              uint32_t r) {
  if (instruction.guarded && instruction.guard == r) return UndefinedUse::effect;
  if (instruction.opcode == Opcode::selp) {
    const auto operands = function.operands_of(instruction);
    const bool selects = operands.size() > 3 && operands[3].index == r;
    return selects ? UndefinedUse::effect : UndefinedUse::discarded;
  }
  if (may_discard(function, instruction)) return UndefinedUse::discarded;
  const bool computes = only_computes(instruction.opcode) || instruction.opcode == Opcode::shfl ||
                        instruction.opcode == Opcode::setp;
  return computes ? UndefinedUse::passed_on : UndefinedUse::effect;
}

}  // namespace warplens::program
