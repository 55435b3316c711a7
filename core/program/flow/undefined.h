// What becomes of a register without a value where an instruction reads it. Compilers compute with values
// that a selection, a guard or a branch then discards, and programmers write `if (there is one) sum +=
// other`. Neither is a mistake, so a value is followed through arithmetic to the first use that has an
// effect.
#pragma once

#include <cstdint>

#include "core/ptx/tree.h"

namespace warplens::program {

enum class UndefinedUse : uint8_t {
  effect,     // on memory, an address, a branch, a guard, a selection, or a call
  passed_on,  // the result is undefined as well
  discarded,  // the other operand may decide: selp, and & or of predicates, also within setp
};
UndefinedUse use_of_undefined(const ptx::Function& function, const ptx::Instruction& instruction, uint32_t r);

// Whether another operand may decide the result: and, or of predicates, also within setp.
bool may_discard(const ptx::Function& function, const ptx::Instruction& instruction);

}  // namespace warplens::program
