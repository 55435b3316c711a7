// The message for a launch that needs more memory than this machine has. The kernel is not to blame and may
// run well on another machine, so this is an error and not a result.
#pragma once

#include <string>

#include "core/base/result.h"
#include "core/gpu/exec/grid.h"

namespace warplens {

// For GridOutcome::End::out_of_memory.
Error no_memory_for(const exec::GridLaunch& launch, const std::string& entry);

}  // namespace warplens
