// Estimates the calibration of a device that was not measured: the figures of the nearest measured device,
// scaled by the published figures of both. docs/time-model.md says how accurate that is.
#pragma once

#include <optional>

#include "core/gpu/timing/calibration.h"
#include "core/gpu/timing/parameters.h"

namespace warplens {

// The band around times from scaled figures: multiplied and divided by this.
constexpr double scaled_band = 2.0;

// `from` was measured on `measured`. Clocks, bandwidths and issue rates keep their ratio to the published
// figure; latencies keep their cycles, launches their microseconds. A device that is scaled to itself keeps
// its figures.
Calibration scaled_calibration(const Calibration& from, const Device& measured, const Device& device,
                               const TimeParameters& parameters);

// The device's own calibration, or that of the nearest measured device, scaled. Empty if there is none, if
// the device file lacks SMs, clock or bandwidth, and for devices before compute capability 7.0: their SMs
// have another design, so only published figures are used.
std::optional<Calibration> calibration_for(const Device& device, const TimeParameters& parameters);

}  // namespace warplens
