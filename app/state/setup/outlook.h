// What is known about a launch before it runs. It is computed quickly, since every step of a slider needs
// it.
#pragma once

#include "app/state/state.h"

namespace warplens {

// `resources` is null if the kernel is not linked yet. Then there is no occupancy, and there are fewer
// warnings.
LaunchOutlook outlook_of(const KernelDescription& kernel, const KernelSetup& setup, const Device& device,
                         const Resources* resources);

// Whether an argument of this kernel is filled with a picture.
bool needs_picture(const KernelDescription& kernel);

// The resources of the state's kernel on its device. Null if they are not known yet.
const Resources* known_resources(const AppState& state);

// The problem for a refused launch: CUDA's error, what a program that does not check errors would show, and
// a launch that works.
Problem refusal_problem(const KernelDescription& kernel, const LaunchShape& shape,
                        const LaunchRefusal& refusal);

}  // namespace warplens
