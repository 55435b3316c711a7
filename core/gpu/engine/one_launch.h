// The first launch of a request, with the buffers as they are before it, for code that runs only some of its
// blocks.
#pragma once

#include <memory>

#include "core/gpu/exec/grid.h"
#include "core/gpu/machine/machine.h"

namespace warplens {

struct OneLaunch {
  Programs programs;
  Machine machine;
  const program::Program* program = nullptr;
  exec::GridLaunch launch;  // with one worker; refers to the others
};

// `step` is the request's first launch. Errors concern its PTX, its arguments, or memory.
Result<std::unique_ptr<OneLaunch>> prepare_one(const LaunchRequest& request, const LaunchStep& step,
                                               program::DecodeMode mode);

}  // namespace warplens
