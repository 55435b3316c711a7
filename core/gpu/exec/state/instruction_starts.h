// Where the instructions of a decoded program begin among its ops.
#pragma once

#include <vector>

#include "core/program/program.h"

namespace warplens::exec {

// For each op, whether an instruction begins there.
std::vector<bool> instruction_starts(const program::Program& program);

}  // namespace warplens::exec
