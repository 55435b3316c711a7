// A real GPU that works together with the virtual GPU. The virtual GPU runs each launch first, as far as it
// can in a few seconds. So a fault is reported exactly and never reaches the device, and the result has
// counts as well as measured times.
#pragma once

#include <chrono>
#include <memory>

#include "core/launch/backend.h"

namespace warplens {

// If the virtual GPU needs longer than this, the launch goes to the device without counts.
constexpr std::chrono::milliseconds preflight_limit{3000};

// Requests for virtual devices go to `virtual_gpu`. Requests for real devices go to both: the result has the
// outputs and times of `real` and all counts. If the virtual GPU finds a fault, that is the result and
// nothing runs on the device.
std::unique_ptr<Backend> make_preflighted(std::unique_ptr<Backend> virtual_gpu, std::unique_ptr<Backend> real,
                                          std::chrono::milliseconds limit = preflight_limit);

// Adds the virtual GPU's counts of the same request to a real GPU's result.
void add_counts(const RunResult& counted, RunResult& measured);

}  // namespace warplens
