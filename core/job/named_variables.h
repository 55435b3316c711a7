// The same launch, with its code compiled again so that its variables have names.
#pragma once

#include <stop_token>

#include "core/base/result.h"
#include "core/gpu/stepping/block_stepper.h"
#include "core/launch/launch_request.h"

namespace warplens {

// Compiles the request's CUDA C++ with device debug information, as a debugger does. The code is then not
// optimised: there are more instructions, and plain a * b + c is never fused. PTX that already has debug
// information is left as it is. An Error says why there are no names: no source, no compiler, or a source
// that does not compile.
Result<LaunchRequest> with_named_variables(const LaunchRequest& request, std::stop_token stop = {});

// Compares the block's memory after stepping with that after the optimised code.
enum class Agreement : uint8_t {
  same,
  rounding,  // only the optimised code fuses a * b + c, which rounds once; without fusing they agree
  other      // not even then: the block may depend on the order of its threads, or on uninitialised memory
};

// `stepped` is a block of with_named_variables(request) that has run to its end.
Result<Agreement> agreement_of(const stepping::BlockStepper& stepped, const LaunchRequest& request,
                               const stepping::Options& options, const std::stop_token& stop = {});
// A sentence for people.
const char* sentence_of(Agreement agreement);

// Whether the PTX itself says where its variables are.
bool has_named_variables(const ModuleText& module);

}  // namespace warplens
