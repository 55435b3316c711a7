// What is known of a launch before it runs. Cheap: it is asked at every step of a slider.
#pragma once

#include "app/state/state.h"

namespace warplens {

// `resources` null: not linked yet, then there is no occupancy and fewer warnings.
LaunchOutlook outlook_of(const KernelDescription& kernel, const KernelSetup& setup, const Device& device,
                         const Resources* resources);

// An argument of this kernel is filled with a picture.
bool needs_picture(const KernelDescription& kernel);

// Resources of the state's kernel on its device; null where they are not known yet.
const Resources* known_resources(const AppState& state);

// The problem that a refused launch is: CUDA's error, what an unchecked program would show, and a launch that
// works.
Problem refusal_problem(const KernelDescription& kernel, const LaunchShape& shape,
                        const LaunchRefusal& refusal);

}  // namespace warplens
