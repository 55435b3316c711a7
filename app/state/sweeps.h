// When a sweep must be made anew, and what is asked for then.
#pragma once

#include "app/state/state.h"
#include "core/job/sweep.h"

namespace warplens {

// Would both choices give the same sweep? A sweep over blocks does not depend on today's block, one over
// sizes not on today's size.
bool same_sweep(SweepKind kind, const Choice& a, const Choice& b);

// Nothing was asked for that belongs to today's setup.
bool sweep_is_due(const AppState& state, SweepKind kind);

SweepRequest sweep_request(const KernelDescription& kernel, const KernelSetup& setup, const Device& device,
                           SweepKind kind);

}  // namespace warplens
