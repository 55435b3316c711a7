// The figures of a device that nobody measured: those of the nearest measured device, scaled by what is
// published of both. docs/time-model.md says what that is worth.
#pragma once

#include <optional>

#include "core/timing/calibration.h"
#include "core/timing/parameters.h"

namespace warplens {

// The band around times of scaled figures: times and divided by this.
constexpr double scaled_band = 2.0;

// `from` was measured on `measured`. Clocks, bandwidths and issue rates keep the share of the published
// figure that they reached there; latencies keep their cycles, launches their microseconds. A device scaled
// to itself keeps its figures.
Calibration scaled_calibration(const Calibration& from, const Device& measured, const Device& device,
                               const TimeParameters& parameters);

// The device's own calibration, or that of the nearest measured device, scaled. Empty where there is none,
// where the device file lacks SMs, clock or bandwidth, and for devices before compute capability 7.0: their
// SMs are built another way, so only published figures say something of them.
std::optional<Calibration> calibration_for(const Device& device, const TimeParameters& parameters);

}  // namespace warplens
