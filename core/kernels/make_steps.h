// The steps of a described program, with their values filled in.
#pragma once

#include <optional>
#include <span>

#include "core/kernels/catalogue.h"
#include "core/kernels/evaluated.h"

namespace warplens {

// ceil(problem / block) per axis; saturates at 2^32 − 1. The grid is empty if the block has no threads or
// the problem has no elements. CUDA refuses both, and so does the launch check.
Dim3 fitted(Dim3 problem, Dim3 block);

// The extents of a problem, in threads.
Result<Dim3> extents_of(const std::array<std::string, 3>& problem, const Evaluated& evaluated,
                        std::string_view of_what);

// The arguments of the first launch.
std::vector<Argument> arguments_of(const KernelDescription& kernel, const Evaluated& evaluated,
                                   std::span<const BufferSpec> buffers);

// Appends the description's steps to the request, which must have its buffers. A buffer that no step
// allocates lives from before the first step until after the last. If it has contents, it is copied in
// first, and if it is an output, it is copied out at the end, unless a step does so.
Result<void> append_steps(const KernelDescription& kernel, const Evaluated& evaluated, LaunchStep first,
                          LaunchRequest& request);

// The module's variables that are set before the first step.
Result<std::vector<GlobalInit>> globals_of(const KernelDescription& kernel, const Evaluated& evaluated);

}  // namespace warplens
