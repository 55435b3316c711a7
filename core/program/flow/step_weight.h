// What an instruction takes from the step budget: 1 for an addition, more for what takes this CPU longer, so
// that the budget bounds the time of any endless loop. Memory that is accessed lane by lane costs more while
// it runs.
#pragma once

#include <cstdint>

#include "core/ptx/tree.h"

namespace warplens::program {

uint32_t step_weight(const ptx::Function& function, const ptx::Instruction& instruction);

}  // namespace warplens::program
