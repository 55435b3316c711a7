// The unit that executes a PTX instruction, and the number of operations that it counts as.
#pragma once

#include "core/launch/instruction_mix.h"
#include "core/ptx/tree.h"

namespace warplens {

struct IssueCost {
  IssueUnit unit = IssueUnit::other;
  uint32_t float_operations = 0, double_operations = 0, integer_operations = 0;  // of one thread
};

IssueCost issue_cost(const ptx::Function& function, const ptx::Instruction& instruction);

}  // namespace warplens
