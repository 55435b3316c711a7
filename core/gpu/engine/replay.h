// One block again, with every memory access.
#pragma once

#include <cstddef>
#include <stop_token>

#include "core/base/result.h"
#include "core/launch/footprint.h"
#include "core/launch/launch_request.h"

namespace warplens {

// Replays one block of the request's first launch from its start, alone, with the memory that the request
// starts with, and records every memory access (up to a limit). Blocks that depend on other blocks' writes
// see the initial memory.
Result<BlockFootprint> replay_block(const LaunchRequest& request, Dim3 block, std::stop_token stop,
                                    size_t max_accesses = 65536);

}  // namespace warplens
