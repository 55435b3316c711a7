// The cost of an instruction in the step budget: 1 for an addition, more for instructions that take longer on
// this CPU, so that the budget limits the time of any endless loop. Memory accesses that are made lane by
// lane cost more at run time.
#pragma once

#include <cstdint>

#include "core/ptx/tree.h"

namespace warplens::program {

uint32_t step_weight(const ptx::Function& function, const ptx::Instruction& instruction);

}  // namespace warplens::program
