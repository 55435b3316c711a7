// A real GPU beside the virtual one. The virtual GPU runs each launch first, as far as it can in a few
// seconds: what would fault on the device is reported exactly and never reaches it, and the counts of the
// same launch stand beside the measured times.
#pragma once

#include <chrono>
#include <memory>

#include "core/launch/backend.h"

namespace warplens {

// Longer, and the launch goes to the device without counts.
constexpr std::chrono::milliseconds preflight_limit{3000};

// Requests for virtual devices go to `virtual_gpu`. Those for real ones go to both, and the result has the
// outputs and times of `real` and everything that was counted. A fault that the virtual GPU finds is the
// result, and the device is spared.
std::unique_ptr<Backend> make_preflighted(std::unique_ptr<Backend> virtual_gpu, std::unique_ptr<Backend> real,
                                          std::chrono::milliseconds limit = preflight_limit);

// Adds to a real GPU's result what the virtual GPU counted of the same request.
void add_counts(const RunResult& counted, RunResult& measured);

}  // namespace warplens
