// When the time model says that one of two launches of a kernel is faster. Sweeps and the fixes of warnings
// use the same rule, so that no view recommends what another one calls a tie.
#pragma once

namespace warplens {

// The modelled time must shrink by at least this factor. Both times have the model's systematic error, so its
// band is no criterion. What counts is how often the model is right about which of two shapes of one kernel
// is faster. In the sweeps on a real GPU that were held out for validation (docs/device-sweeps.md), it is
// right in nine of ten cases if it predicts this gain and the faster shape does not access more sectors.
constexpr double least_gain = 1.3;

}  // namespace warplens
