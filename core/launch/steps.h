// The steps of a launch request.
#pragma once

#include <vector>

#include "core/launch/launch_request.h"

namespace warplens {

// The steps of a request, including the implied ones. If the request has no allocate step, all buffers are
// allocated and copied in before its own steps, and the outputs are copied out after them.
std::vector<Step> all_steps(const LaunchRequest& request);

// The first launch of a request. Null if it has none.
const LaunchStep* first_launch(const LaunchRequest& request);
// The launch with this number, counted from 0. Null if there are fewer launches.
const LaunchStep* nth_launch(const LaunchRequest& request, uint32_t number);

// One step as a sentence: "copy x to the device: 32 bytes".
std::string describe(const Step& step, const LaunchRequest& request);

}  // namespace warplens
