// Sources that an instruction takes as a number, and not from registers.
#pragma once

#include <vector>

#include "core/gpu/exec/jit/ir/ir.h"

namespace warplens::exec::jit {

// The amount of a shift, where it is a constant.
inline bool takes_number(const Instruction& i, size_t source, const std::vector<const Instruction*>& makers) {
  return source == 1 && i.opcode >= Opcode::shl_b32 && i.opcode <= Opcode::shr_s64 &&
         makers[i.sources[1]]->opcode == Opcode::constant_b32;
}

}  // namespace warplens::exec::jit
