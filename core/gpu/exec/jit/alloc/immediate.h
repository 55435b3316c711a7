// Sources that an instruction takes as a number, and not from registers.
#pragma once

#include <vector>

#include "core/gpu/exec/jit/ir/ir.h"

namespace warplens::exec::jit {

// The amount of a shift, where it is a constant.
inline bool takes_number(const Instruction& i, size_t source, const std::vector<const Instruction*>& makers) {
  return source == 1 && kind_of(i.opcode) == Kind::shift &&
         makers[i.sources[1]]->opcode == Opcode::constant_b32;
}

}  // namespace warplens::exec::jit
