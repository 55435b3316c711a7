// The list from which a program gets what compiles it.
#pragma once

#include "core/gpu/exec/jit/runtime/target.h"

namespace warplens::exec::jit {

// The one for programs with these handlers; null: there is none on this machine or in this build.
const Target* target_for(const OpsTable* table);
// The slow one, for tests, of the units that these have.
const Target& executor_for(const OpsTable* table);

}  // namespace warplens::exec::jit
