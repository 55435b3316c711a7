// The steps of a described program, with their numbers put in.
#pragma once

#include <optional>
#include <span>

#include "core/kernels/catalogue.h"
#include "core/kernels/evaluated.h"

namespace warplens {

// ceil(problem / block) per axis; saturates at 2^32 − 1. A block without threads fits nothing; a problem of
// no elements needs no block. CUDA refuses both, and so the launch check does.
Dim3 fitted(Dim3 problem, Dim3 block);

// The extents of a problem, in threads.
Result<Dim3> extents_of(const std::array<std::string, 3>& problem, const Evaluated& evaluated,
                        std::string_view of_what);

// The arguments of the first launch.
std::vector<Argument> arguments_of(const KernelDescription& kernel, const Evaluated& evaluated,
                                   std::span<const BufferSpec> buffers);

// Appends the description's steps to the request, whose buffers are there. What no step allocates lives from
// before the first step to after the last: it is copied in at once where it has contents, and copied out at
// the end where it is an output, unless a step does so.
Result<void> append_steps(const KernelDescription& kernel, const Evaluated& evaluated, LaunchStep first,
                          LaunchRequest& request);

// The module's variables that are set before.
Result<std::vector<GlobalInit>> globals_of(const KernelDescription& kernel, const Evaluated& evaluated);

}  // namespace warplens
