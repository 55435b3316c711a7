// Walking over the steps of a request.
#pragma once

#include <vector>

#include "core/launch/launch_request.h"

namespace warplens {

// The steps of a request, with those that it leaves unsaid: where it allocates nothing, all buffers are
// allocated and copied in before its own steps, and the outputs are copied out behind them.
std::vector<Step> all_steps(const LaunchRequest& request);

// The first launch of a request; null where it has none.
const LaunchStep* first_launch(const LaunchRequest& request);
// The launch of this number; null where there are not so many.
const LaunchStep* nth_launch(const LaunchRequest& request, uint32_t number);

// One step as a sentence: "copy x to the device: 32 bytes".
std::string describe(const Step& step, const LaunchRequest& request);

}  // namespace warplens
