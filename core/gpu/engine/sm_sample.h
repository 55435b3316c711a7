// What some blocks of a launch execute, for the model of an SM (core/gpu/timing/sm).
#pragma once

#include <cstdint>
#include <stop_token>

#include "core/base/result.h"
#include "core/gpu/timing/sm/work.h"
#include "core/launch/launch_request.h"

namespace warplens {

// Runs blocks of the request's first launch again, as one SM would get them, with the memory that the request
// starts with: all of the SM's blocks if they have at most `instructions` warp instructions, or else groups
// of `resident` blocks, spread over the grid. An error says why a sample says nothing: a block that waits for
// others, or one that executes too much.
Result<sm::Work> sample_sm(const LaunchRequest& request, const sm::Figures& figures, uint32_t resident,
                           uint64_t instructions_a_block, uint64_t instructions, std::stop_token stop);

}  // namespace warplens
