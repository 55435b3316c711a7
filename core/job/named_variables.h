// The same launch with its code compiled once more, so that its variables have names.
#pragma once

#include <stop_token>

#include "core/base/result.h"
#include "core/launch/launch_request.h"

namespace warplens {

// Compiles the request's CUDA C++ with device debug information, as a debugger does. Nothing is optimised
// then: there are more instructions, and plain a * b + c is never fused. PTX that has debug information
// already is left as it is. An Error says why it stays without names: no source, no compiler, or a source
// that does not compile.
Result<LaunchRequest> with_named_variables(const LaunchRequest& request, std::stop_token stop = {});

// Whether the PTX itself says where its variables are.
bool has_named_variables(const ModuleText& module);

}  // namespace warplens
