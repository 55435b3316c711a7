// What to say where a launch needs more memory than this machine gives. That is no fault of the kernel, which
// may run well elsewhere, so it is an error and not a result.
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/gpu/exec/grid.h"

namespace warplens {

// Of GridOutcome::End::out_of_memory.
Error no_memory_for(const exec::GridLaunch& launch, const std::string& entry);

}  // namespace warplens
